import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { payeeErrors } from './payees.errors.ts'
import { payeeEvents } from './payees.events.ts'
import { insertAliases, type PayeeRow, payeeRows, payeesWhere } from './payees.queries.ts'
import { existingPayee, newAlias } from './payees.usecases.ts'
import {
  type AliasRow,
  aliasesOf,
  deleteAlias,
  meantBy,
  requireRoomForAlias,
  type Resolution,
  resolutionOf,
  touchPayee,
} from './aliases.queries.ts'

export async function listPayeeAliases(ctx: SignedIn, payeeId: string): Promise<AliasRow[]> {
  const [[payee], aliases] = await read(ctx, payeeRows.byId(ctx, payeeId), aliasesOf(ctx, payeeId))
  existingPayee(payee)
  return aliases
}

export async function createPayeeAlias(
  ctx: SignedIn,
  payeeId: string,
  raw: string,
): Promise<AliasRow> {
  const [[payee]] = await read(ctx, payeeRows.byId(ctx, payeeId))
  existingPayee(payee)
  const alias = newAlias(ctx, raw)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...touchPayee(ctx, payeeId),
          insertAliases(ctx, payeeId, [alias]),
          requireRoomForAlias(payeeId),
        ],
        events: [payeeEvents.aliasAdded({ id: payeeId }, { after: { raw } })],
      },
    ],
    result: { id: alias.id, raw, createdAt: ctx.now },
    conflicts: { 'payee_aliases.raw_key': () => payeeErrors.aliasTaken({ field: 'raw' }) },
  })
}

export async function deletePayeeAlias(
  ctx: SignedIn,
  payeeId: string,
  aliasId: string,
): Promise<void> {
  const [[found], aliases] = await read(ctx, payeeRows.byId(ctx, payeeId), aliasesOf(ctx, payeeId))
  const payee = existingPayee(found)
  const alias = aliases.find(({ id }) => id === aliasId)
  if (!alias) {
    throw payeeErrors.aliasNotFound()
  }
  requireVersion(ctx, payee.version)
  await commit(ctx, {
    changes: [
      {
        statements: deleteAlias(ctx, payee, aliasId),
        events: [payeeEvents.aliasRemoved({ id: payeeId }, { before: { raw: alias.raw } })],
      },
    ],
    result: undefined,
  })
}

export interface Resolved {
  raw: string
  payee: PayeeRow | undefined
  reason: Resolution['reason'] | null
  alias: string | null
}

/** Finds the payee that a new transaction with this bank text gets, and the reason. */
export async function resolvePayee(ctx: SignedIn, raw: string): Promise<Resolved> {
  const [[resolution], candidates] = await read(
    ctx,
    resolutionOf(ctx, raw),
    payeesWhere(ctx, meantBy(ctx, raw)),
  )
  return {
    raw,
    payee: candidates.find(({ id }) => id === resolution?.payeeId),
    reason: resolution?.reason ?? null,
    alias: resolution?.alias ?? null,
  }
}
