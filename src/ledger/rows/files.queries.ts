import { type SQL, sql } from 'drizzle-orm'
import type { LedgerRow } from './rows.queries.ts'

const LINKS = `attachment_links l JOIN attachments f ON f.id = l.attachment_id AND f.deleted_at IS NULL`

/**
 * JSON of the files of the transaction of a line `e`: who sees the one sees the others. Those of a transaction with parts are on
 * its own account.
 */
export const ATTACHMENTS: SQL = sql.raw(
  `(SELECT json_group_array(f.id) FROM ${LINKS} WHERE l.target_id = e.transaction_id AND e.line <= 2) AS attachmentIds`,
)

/** Whether the transaction of a line `e` has a file, beside `seen`: those that have one are listed once, as few do. */
export const HAS_ATTACHMENT: SQL = sql.raw(
  `(e.line <= 2 AND e.transaction_id IN (SELECT l.target_id FROM ${LINKS} WHERE l.owner_id IN (SELECT owner_id FROM seen)))`,
)

const idsOf = ({ attachmentIds = '[]' }: LedgerRow) => JSON.parse(attachmentIds) as string[]

export const attachmentCountOf = (row: LedgerRow): number => idsOf(row).length

/** A row as it will be with the files of these. */
export const withAttachmentsOf = (row: LedgerRow, ...others: LedgerRow[]): LedgerRow => ({
  ...row,
  attachmentIds: JSON.stringify([...new Set([row, ...others].flatMap(idsOf))]),
})
