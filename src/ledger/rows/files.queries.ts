import { type SQL, sql } from 'drizzle-orm'
import type { LedgerRow } from './rows.queries.ts'

const LINKS = `attachment_links l JOIN attachments f ON f.id = l.attachment_id AND f.deleted_at IS NULL`

/** The row that was matched into the part of whose other side a line `e` is. */
const MATCHED_ROW = `(SELECT away.id FROM transactions away
  WHERE away.matched_into = e.transaction_id AND away.matched_part->>'line' = e.pair)`

/** The transaction that has the files of a line `e`: that of the line, or the row that was matched into its part. */
const HOLDER = `iif(e.line <= 2, e.transaction_id, ${MATCHED_ROW})`

const WITH_FILES = `(SELECT l.target_id FROM ${LINKS} WHERE l.owner_id IN (SELECT owner_id FROM seen))`

/**
 * JSON of the files of the transaction of a line `e`: who sees the one sees the others. Those of a transaction with parts are on
 * its own account; the other side of a part has those of the row that was matched into it.
 */
export const ATTACHMENTS: SQL = sql.raw(
  `(SELECT json_group_array(f.id) FROM ${LINKS} WHERE l.target_id = ${HOLDER}) AS attachmentIds`,
)

/**
 * Whether the transaction of a line `e` has a file, beside `seen`: those that have one are listed once, as few do. Apart for the
 * few lines that are the other side of a part, as the database compares a column faster than what is computed for each line.
 */
export const HAS_ATTACHMENT: SQL = sql.raw(
  `iif(e.line <= 2, e.transaction_id IN ${WITH_FILES}, ifnull(${MATCHED_ROW} IN ${WITH_FILES}, 0))`,
)

const idsOf = ({ attachmentIds = '[]' }: LedgerRow) => JSON.parse(attachmentIds) as string[]

export const attachmentCountOf = (row: LedgerRow): number => idsOf(row).length

/** A row as it will be with the files of these. */
export const withAttachmentsOf = (row: LedgerRow, ...others: LedgerRow[]): LedgerRow => ({
  ...row,
  attachmentIds: JSON.stringify([...new Set([row, ...others].flatMap(idsOf))]),
})
