import type { z } from '@hono/zod-openapi'
import { createShare, acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import type { CreateShareRequest } from '../../../src/areas/sharing/sharing/sharing.contract.ts'
import { ok } from '../../support/api.ts'
import type { TestUser } from '../../support/world.ts'

type Wanted = Partial<z.input<typeof CreateShareRequest>>

/** A share of an account that the user has accepted; it views unless told otherwise. */
export async function share(
  owner: TestUser,
  account: { id: string },
  { id: userId, ...receiver }: TestUser,
  wanted: Wanted = {},
): Promise<{ id: string; version: number }> {
  const json = { resourceId: account.id, userId, ...wanted }
  const { id } = await ok(createShare, { as: owner, json })
  return ok(acceptShare, { as: receiver, id, json: {} })
}
