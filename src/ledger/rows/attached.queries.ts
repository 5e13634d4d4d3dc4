import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { isNotPrivateTo, visibleAccountIds } from '../../areas/identity/access/access.public.ts'

const LINKS = `attachment_links l JOIN attachments f ON f.id = l.attachment_id AND f.deleted_at IS NULL`

/** The transaction that has the files of a line `e`: that of the line, or the row that was matched into its part. */
const HOLDER = `iif(e.line <= 2, e.transaction_id, (SELECT away.id FROM transactions away
  WHERE away.matched_into = e.transaction_id AND away.matched_part->>'line' = e.pair))`

/**
 * JSON of the files of the transaction of a line `e`: who sees the one sees the others. Those of a transaction with parts are on
 * its own account; the other side of a part has those of the row that was matched into it.
 */
export const ATTACHMENTS: SQL = sql.raw(
  `(SELECT json_group_array(f.id) FROM ${LINKS} WHERE l.target_id = ${HOLDER}) AS attachmentIds`,
)

const WITH_FILES = `(SELECT l.target_id FROM ${LINKS} WHERE l.owner_id IN (SELECT owner_id FROM seen))`

/** The other sides of parts that a row with files was matched into. */
const LEGS_WITH_FILES = `(SELECT leg.transaction_id, leg.line FROM transactions away CROSS JOIN entries leg
  ON leg.transaction_id = away.matched_into AND leg.pair = away.matched_part->>'line' AND leg.side = 'account'
  WHERE away.matched_part IS NOT NULL AND away.id IN ${WITH_FILES})`

/**
 * True if the transaction of a line `e` has a file, beside `seen`. Transactions with files are listed once, because
 * there are few. It uses only columns that are in the indexes of lines.
 */
export const HAS_ATTACHMENT: SQL = sql.raw(
  `iif(e.line <= 2, e.transaction_id IN ${WITH_FILES}, (e.transaction_id, e.line) IN ${LEGS_WITH_FILES})`,
)

interface WithFiles {
  /** JSON of ids. */
  attachmentIds?: string
}

const idsOf = ({ attachmentIds = '[]' }: WithFiles) => JSON.parse(attachmentIds) as string[]

export const attachmentCountOf = (row: WithFiles): number => idsOf(row).length

/** A row as it will be with the files of these. */
export const withAttachmentsOf = <Row extends WithFiles>(
  row: Row,
  ...others: WithFiles[]
): Row => ({
  ...row,
  attachmentIds: JSON.stringify([...new Set([row, ...others].flatMap(idsOf))]),
})

/** A refund by a link, in the currency of the row: the kind, the other transaction and the amount. */
type Refund = [kind: string, otherId: string, minor: number]

/**
 * JSON of what was given back of the transaction of a line `e` with its header `t`, or what it gives back, as the caller
 * sees it: of nothing that is void, or on an account or in a booking that they do not see.
 * @param orIsThere another condition by which the other transaction, `t`, counts
 */
export const refundsFor = (ctx: SignedIn, orIsThere: SQL = sql`FALSE`): SQL =>
  sql`CASE WHEN t.kind IN ('expense', 'income') AND e.line = 1 THEN (SELECT json_group_array(json_array(k.kind, t.id, k.amount_minor))
    FROM transaction_links k CROSS JOIN transactions t ON t.id = iif(k.target_id = e.transaction_id, k.source_id, k.target_id)
    WHERE (k.target_id = e.transaction_id OR k.source_id = e.transaction_id)
      AND k.amount_minor IS NOT NULL AND k.currency = e.currency AND ${isNotPrivateTo(ctx)}
      AND (${orIsThere} OR EXISTS (SELECT 1 FROM entries o WHERE o.transaction_id = t.id AND o.side = 'account' AND o.line <= 2
        AND o.status <> 'void' AND o.account_id IN (${visibleAccountIds(ctx)})))) END AS refunds`

interface WithRefunds {
  /** JSON of `Refund[]`. */
  refunds?: string | null
}

const refundsOf = ({ refunds }: WithRefunds) => JSON.parse(refunds ?? '[]') as Refund[]

/** Returns the amount left after refunds, never negative; undefined if there are none. */
export function netMinorOf(row: WithRefunds & { amountMinor: number }): number | undefined {
  const refunds = refundsOf(row)
  return refunds.length === 0
    ? undefined
    : refunds.reduce((left, [, , minor]) => left - minor, Math.abs(row.amountMinor))
}

/** A row as it will be with the links of these, of which the first of a kind to the same one stays. */
export function withRefundsOf<Row extends WithRefunds>(
  row: Row,
  ...others: (WithRefunds | undefined)[]
): Row {
  const known = new Map<string, Refund>()
  for (const refund of [row, ...others].flatMap((one) => (one ? refundsOf(one) : []))) {
    const key = `${refund[0]} ${refund[1]}`
    known.set(key, known.get(key) ?? refund)
  }
  return { ...row, refunds: JSON.stringify([...known.values()]) }
}
