import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { payeeAliases, payees } from '../../../../drizzle/schema/payees.ts'
import { keysOfName } from '../../../domain/search-key.ts'
import { foldKey } from '../../../domain/text.ts'
import { type SignedIn, freshId } from '../../../platform/context.ts'
import { Memory } from '../../../platform/database/memory.ts'
import {
  requireChangedOne,
  mustKeepVersion,
  refuseIf,
} from '../../../platform/database/premises.ts'
import { conflicting } from '../../../platform/database/refusals.ts'
import { db, nothing, prepared, type Statement } from '../../../platform/database/statements.ts'
import type { Change } from '../../../platform/log/events.ts'
import type { NamedPlace } from '../../../ledger/ledger.public.ts'
import { payeeErrors } from './payees.errors.ts'
import type { PayeeRow } from './payees.queries.ts'
import {
  MOST_ALIASES,
  type DraftText,
  isOnNamed,
  type Meaning,
  type TextOnAccount,
} from './payees.rules.ts'
import {
  accountIsSeenBy,
  ownedBy,
  viewerOf,
  annotatedOwnerIds,
} from '../../identity/access/access.public.ts'
import { payeeEvents } from './payees.events.ts'

export const aliasesOf = (ctx: SignedIn, payeeId: string) =>
  db
    .select({ id: payeeAliases.id, raw: payeeAliases.raw, createdAt: payeeAliases.createdAt })
    .from(payeeAliases)
    .where(and(eq(payeeAliases.payeeId, payeeId), ownedBy(ctx.caller, payeeAliases.ownerId)))
    .orderBy(payeeAliases.id)

export type AliasRow = Awaited<ReturnType<typeof aliasesOf>>[number]

/** Refuses when the payee has more aliases than are read at once. */
export const requireRoomForAlias = (payeeId: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM payee_aliases WHERE payee_id = ${payeeId}) > ${MOST_ALIASES}`,
    payeeErrors.tooManyAliases,
  )

/** The payee changed although none of its columns did; whatever version it has. */
export const touchPayee = ({ caller, now }: SignedIn, payeeId: string): Statement[] => [
  db.run(sql`UPDATE payees SET version = version + 1, updated_at = ${now}
    WHERE id = ${payeeId} AND ${ownedBy(caller, 'owner_id')}`),
  requireChangedOne(payeeErrors.notFound),
]

/** Deletes an alias of a payee that was read; refuses when it is deleted already. */
export const deleteAlias = (
  ctx: SignedIn,
  payee: Pick<PayeeRow, 'id' | 'version'>,
  aliasId: string,
): Statement[] => [
  ...mustKeepVersion(ctx, payees, payee),
  ...touchPayee(ctx, payee.id),
  db.run(sql`DELETE FROM payee_aliases WHERE id = ${aliasId} AND payee_id = ${payee.id}
    AND ${ownedBy(ctx.caller, 'owner_id')}`),
  requireChangedOne(payeeErrors.aliasNotFound),
]

export interface Resolution {
  payeeId: string
  reason: 'alias' | 'name'
  alias: string | null
}

/**
 * Finds the caller's payee for a bank text, and the reason. An alias takes precedence over a name; archived payees
 * are ignored.
 */
export const resolutionOf = ({ caller }: SignedIn, raw: string): Statement<Resolution[]> => {
  const key = foldKey(raw)
  return db.all(
    sql`SELECT a.payee_id AS payeeId, 'alias' AS reason, a.raw AS alias
      FROM payee_aliases a JOIN payees p ON p.id = a.payee_id AND p.archived = 0
      WHERE ${ownedBy(caller, 'a.owner_id')} AND a.raw_key = ${key}
    UNION ALL SELECT p.id, 'name', NULL FROM payees p
      WHERE ${ownedBy(caller, 'p.owner_id')} AND p.name_key = ${key} AND p.archived = 0
    ORDER BY reason LIMIT 1`,
  )
}

/** The id of the payee that a folded text means to an owner, or null. */
const payeeMeant = (ownerId: SQL, key: SQL | Placeholder): SQL =>
  sql`ifnull((SELECT a.payee_id FROM payee_aliases a JOIN payees p ON p.id = a.payee_id AND p.archived = 0
        WHERE a.owner_id = ${ownerId} AND a.raw_key = ${key}),
      (SELECT p.id FROM payees p
        WHERE p.owner_id = ${ownerId} AND p.name_key = ${key} AND p.archived = 0))`

/** The payees of the owners of accounts that texts on these, in their folded form, mean, likewise. */
export function resolutionsOf(ctx: SignedIn, texts: DraftText[]): Statement<Meaning[]> {
  if (texts.length === 0) {
    return nothing()
  }
  const json = JSON.stringify(texts)
  return texts.some(isOnNamed) ? meantOnNamed(ctx, json) : meant({ json })
}

const meant = prepared<{ json: string }, Meaning[]>(() =>
  db.all<Meaning>(
    sql`SELECT accountId, key, payeeId FROM (SELECT c.id AS accountId, wanted.value->>'key' AS key,
        ${payeeMeant(sql`c.owner_id`, sql`wanted.value->>'key'`)} AS payeeId
      FROM json_each(${sql.placeholder('json')}) wanted CROSS JOIN accounts c ON c.id = wanted.value->>'accountId')
    WHERE payeeId IS NOT NULL`,
  ),
)

/** Finds the payees for texts whose account is given by id or by name: each account that the caller sees under the name. */
const meantOnNamed = (ctx: SignedIn, json: string) =>
  db.all<Meaning>(
    sql`SELECT * FROM (SELECT accounts.id AS accountId, wanted.value->>'key' AS key,
        ${payeeMeant(sql`accounts.owner_id`, sql`wanted.value->>'key'`)} AS payeeId
      FROM json_each(${json}) wanted CROSS JOIN accounts
        ON accounts.id = wanted.value->>'accountId' OR accounts.name_key = wanted.value->>'accountKey'
      WHERE ${accountIsSeenBy(viewerOf(ctx))}) WHERE payeeId IS NOT NULL`,
  )

/** By who booked with them: nobody else can tell from the time of an answer that a text is remembered. */
const meanings = new Memory<Meaning>(5000)

const meaningKey = ({ caller }: SignedIn, { accountId, key }: TextOnAccount) =>
  `${caller.tokenHash ?? caller.userId} ${accountId} ${key}`

/** Returns the remembered payees of all these texts; undefined if one is not remembered. */
export function meaningsOf(ctx: SignedIn, texts: DraftText[]): Meaning[] | undefined {
  const known = texts.flatMap((text) =>
    'accountId' in text ? (meanings.get(meaningKey(ctx, text)) ?? []) : [],
  )
  return known.length === texts.length ? known : undefined
}

/** @param found what these texts mean, where they mean something */
export function rememberMeanings(ctx: SignedIn, texts: DraftText[], found: Meaning[]): void {
  const none = texts.flatMap((text) => ('accountId' in text ? [{ ...text, payeeId: null }] : []))
  const all = [...none, ...found]
  for (const meaning of all) {
    meanings.set(meaningKey(ctx, meaning), meaning)
  }
}

/** Refuses when a text means another payee by now. */
export const mustMean = (meaning: Meaning): Statement => meansStill({ ...meaning })

const meansStill = prepared<Record<keyof Meaning, string | null>, unknown>(() =>
  refuseIf(
    sql`${payeeMeant(
      sql`(SELECT c.owner_id FROM accounts c WHERE c.id = ${sql.placeholder('accountId')})`,
      sql.placeholder('key'),
    )} IS NOT ${sql.placeholder('payeeId')}`,
    conflicting,
  ),
)

/** The ids of the payees that a bank's text may mean. */
export const meantBy = ({ caller }: SignedIn, raw: string) =>
  sql`SELECT a.payee_id FROM payee_aliases a
      WHERE ${ownedBy(caller, 'a.owner_id')} AND a.raw_key = ${foldKey(raw)}
    UNION SELECT p.id FROM payees p
      WHERE ${ownedBy(caller, 'p.owner_id')} AND p.name_key = ${foldKey(raw)}`

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
export function payeeNamed(ctx: SignedIn, { name }: NamedPlace): { id: string; change: Change } {
  const payee = {
    id: freshId(ctx, 'pay'),
    ownerId: ctx.caller.userId,
    name,
    ...keysOfName(name),
    archived: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const { id, version } = payee
  return {
    id,
    change: {
      statements: [db.insert(payees).values(payee)],
      events: [payeeEvents.created({ id, version }, { after: { ...payee, aliases: [] } })],
    },
  }
}
