import { type SQL, sql } from 'drizzle-orm'

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
 * Whether the transaction of a line `e` has a file, beside `seen`: those that have one are listed once, as few do. It asks for no
 * column that is not in the indexes of lines.
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
