import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import type { Scope } from '../../../src/domain/scopes.ts'
import { ok, type Principal } from '../../support/api.ts'

/** A token of the user, as whom one can call. */
export async function giveToken(
  as: Principal,
  scopes: Scope[],
  accountIds?: string[],
): Promise<Principal & { id: string }> {
  const { token, id } = await ok(createAccessToken, {
    as,
    json: { name: 'A token', scopes, ...(accountIds ? { accountIds } : {}) },
  })
  return { accessToken: token, id }
}

export const tokenFor = async (as: Principal, scopes: Scope[]): Promise<string> =>
  (await giveToken(as, scopes)).accessToken
