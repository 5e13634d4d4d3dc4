import { sql } from 'drizzle-orm'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import type { Change } from '../../../../platform/events.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { annotatedOwnerIds, viewerOf } from '../../../identity/access/access.public.ts'
import type { NamedPlace } from '../../../../ledger/ledger.public.ts'
import { payeeEvents } from '../payees.events.ts'
import { payeeRows, type StoredPayee } from '../payees.queries.ts'

export interface NamedPayee {
  id: string
  ownerId: string
  key: string
  archived: boolean
}

/** The payees with these names, else with these aliases, that the caller may put on transactions: each on its owner's. */
export const payeesNamed = (ctx: SignedIn, keys: string[]): Statement<NamedPayee[]> => {
  const columns = sql`owner.id AS ownerId, wanted.value AS key, payees.id, payees.archived`
  return db.all(
    sql`WITH owner AS MATERIALIZED (${annotatedOwnerIds(viewerOf(ctx))}),
      named AS MATERIALIZED (SELECT ${columns}
        FROM owner CROSS JOIN json_each(${JSON.stringify(keys)}) wanted
        CROSS JOIN payees ON payees.owner_id = owner.id AND payees.name_key = wanted.value)
      SELECT * FROM named
      UNION ALL SELECT ${columns} FROM owner CROSS JOIN json_each(${JSON.stringify(keys)}) wanted
        CROSS JOIN payee_aliases a ON a.owner_id = owner.id AND a.raw_key = wanted.value
        CROSS JOIN payees ON payees.id = a.payee_id AND payees.archived = 0
        WHERE NOT EXISTS (SELECT 1 FROM named n WHERE n.ownerId = owner.id AND n.key = wanted.value)`,
  )
}

/** A new payee of the caller that has a name and nothing else. */
export function payeeNamed(
  ctx: SignedIn,
  { name, key }: NamedPlace,
): { id: string; change: Change } {
  const payee: StoredPayee = {
    id: freshId(ctx, 'pay'),
    ownerId: ctx.caller.userId,
    name,
    nameKey: key,
    defaultCategoryId: null,
    note: null,
    archived: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const { id, version } = payee
  return {
    id,
    change: {
      statements: [payeeRows.insert(payee)],
      events: [payeeEvents.created({ id, version }, { after: { ...payee, aliases: [] } })],
    },
  }
}
