import { type SQL, sql } from 'drizzle-orm'
import { transactionLinks } from '../../../../../drizzle/schema/ledger.ts'
import { addressOf } from '../../../../domain/ledger-ids.ts'
import { type Kind, type Status } from '../../../../domain/ledger.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { db, insertInto, type Statement } from '../../../../platform/database/statements.ts'
import { isNotPrivateTo, visibleAccountIds } from '../../../identity/access/access.public.ts'
import { linkedFrom, linkedTo, spendableOf } from './coverage.queries.ts'
import { transactionErrors } from '../transactions.errors.ts'

export type StoredLink = typeof transactionLinks.$inferSelect

/** A transaction as a link shows it: by the first of its sides that the caller sees. */
export interface LinkedSide {
  transactionId: string
  line: number
  kind: Kind
  accountId: string
  ownerId: string
  date: string
  description: string
  /** Signed, as seen from the account. */
  amountMinor: number
  currency: string
  status: Status
  version: number
  /** The amount of it that can be given back: never negative, and without parts that are transfers. */
  spendableMinor: number
}

const SIDE = sql.raw(`e.transaction_id AS transactionId, e.line, t.kind, e.account_id AS accountId,
  e.owner_id AS ownerId, e.date, t.description, e.amount_minor AS amountMinor, e.currency, e.status, t.version`)

/** The other side of a part is no side of a link: links are of the whole. */
const sideOf = (ctx: SignedIn, transactionId: SQL) =>
  sql`transactions t JOIN entries e ON e.transaction_id = t.id AND e.line = (
    SELECT min(seen.line) FROM entries seen WHERE seen.transaction_id = ${transactionId}
      AND seen.side = 'account' AND seen.line <= 2 AND seen.account_id IN (${visibleAccountIds(ctx)}))`

/** The transaction that an id addresses, if the caller sees that side of it. */
export function sideById(ctx: SignedIn, id: string) {
  const { transactionId, line } = addressOf(id)
  return db.all<LinkedSide>(
    sql`SELECT ${SIDE}, ${spendableOf(sql.raw('e'))} AS spendableMinor FROM ${sideOf(ctx, sql`t.id`)} WHERE t.id = ${transactionId} AND ${isNotPrivateTo(ctx)}
      AND EXISTS (SELECT 1 FROM entries own WHERE own.transaction_id = t.id AND own.line = ${line} AND own.line <= 2
        AND own.side = 'account' AND own.account_id IN (${visibleAccountIds(ctx)}))`,
  )
}

/** Finds the amounts that links of two transactions already cover, each in its currency. */
export interface LinkedSums {
  source: number
  target: number
}

const sumsOf = (sourceId: string, targetId: string) => ({
  source: linkedFrom(
    sql`${sourceId}`,
    sql`(SELECT currency FROM entries WHERE transaction_id = ${sourceId} AND line = 1)`,
  ),
  target: linkedTo(sql`${targetId}`),
})

export function linkedSums(sourceId: string, targetId: string) {
  const { source, target } = sumsOf(sourceId, targetId)
  return db.all<LinkedSums>(sql`SELECT ${source} AS source, ${target} AS target`)
}

/** Refuses when one of these is not as it was read. */
export const mustBeUnchangedSides = (sides: LinkedSide[]): Statement => {
  const known = JSON.stringify(sides.map(({ transactionId, version }) => [transactionId, version]))
  return refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${known}) k WHERE NOT EXISTS (SELECT 1 FROM transactions t
      WHERE t.id = k.value->>0 AND t.version = k.value->>1 AND t.deleted_at IS NULL))`,
    changedMeanwhile,
  )
}

/** Refuses when two transactions are linked with other sums than were read. */
export function mustBeLinkedWith(sourceId: string, targetId: string, read: LinkedSums): Statement {
  const { source, target } = sumsOf(sourceId, targetId)
  return refuseIf(
    sql`${source} <> CAST(${read.source} AS INTEGER) OR ${target} <> CAST(${read.target} AS INTEGER)`,
    changedMeanwhile,
  )
}

/** The most links of a transaction, so that they are shown as a whole. */
export const MOST_TRANSACTION_LINKS = 200

/** Refuses when one of these has too many links. */
export const mustHaveRoomForLinks = (transactionIds: string[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(transactionIds)}) one
      WHERE (SELECT count(*) FROM transaction_links WHERE source_id = one.value)
        + (SELECT count(*) FROM transaction_links WHERE target_id = one.value) > ${MOST_TRANSACTION_LINKS})`,
    transactionErrors.tooManyLinks,
  )

export const insertTransactionLink = insertInto(transactionLinks)

export const deleteTransactionLinkRow = ({
  id,
  ownerId,
  version,
}: Pick<StoredLink, 'id' | 'ownerId' | 'version'>): Statement[] => [
  db.run(
    sql`DELETE FROM transaction_links
      WHERE id = ${id} AND owner_id = ${ownerId} AND version = CAST(${version} AS INTEGER)`,
  ),
  requireChangedOne(changedMeanwhile),
]

/** A link as one of its two transactions sees it, with the other one. */
export interface LinkRow extends Omit<
  LinkedSide,
  'version' | 'amountMinor' | 'currency' | 'spendableMinor'
> {
  id: string
  relation: StoredLink['kind']
  direction: 'source' | 'target'
  coveredMinor: number | null
  coveredCurrency: string | null
  note: string | null
  version: number
  createdAt: number
  updatedAt: number
  /** Signed amount of the other transaction. */
  amountMinor: number
  currency: string
}

/** The links of a transaction whose other one the caller sees, in order of creation; one of them, or all. */
export function linksOfTransaction(ctx: SignedIn, transactionId: string, linkId?: string) {
  const columns =
    sql.raw(`id, kind AS relation, amount_minor AS coveredMinor, currency AS coveredCurrency,
    note, version, created_at AS createdAt, updated_at AS updatedAt`)
  const only = linkId === undefined ? sql`` : sql`AND id = ${linkId}`
  return db.all<LinkRow>(
    sql`SELECT k.id, k.relation, k.direction, k.coveredMinor, k.coveredCurrency, k.note, k.version,
        k.createdAt, k.updatedAt, e.transaction_id AS transactionId, e.line, t.kind,
        e.account_id AS accountId, e.owner_id AS ownerId, e.date, t.description,
        e.amount_minor AS amountMinor, e.currency, e.status
      FROM (SELECT ${columns}, 'source' AS direction, target_id AS otherId FROM transaction_links
          WHERE source_id = ${transactionId} ${only}
        UNION ALL SELECT ${columns}, 'target', source_id FROM transaction_links
          WHERE target_id = ${transactionId} ${only}) k
      CROSS JOIN ${sideOf(ctx, sql`k.otherId`)} WHERE t.id = k.otherId AND ${isNotPrivateTo(ctx)} ORDER BY k.id`,
  )
}
