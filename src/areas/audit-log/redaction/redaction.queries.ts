import { sql } from 'drizzle-orm'
import { among, db, type Statement } from '../../../platform/statements.ts'

/** Rows of one commit; fewer where they have many items. */
const STEP = sql.raw('250')
const MOST_ITEMS = sql.raw('2000')

/** A row of the log that says something of a user. */
interface TellingRow {
  id: string
  /** Grows with every commit: the next search begins after the last one's. */
  sequence: number
}

const TELLING_ITEMS = sql.raw("FROM audit_log_items i WHERE i.log_id = l.id AND i.changes <> '{}'")

/**
 * Some of the rows of the log that still say something of a user: what was done with its data, and from where it
 * did something with those of others. In the order of the log, after a row that was seen to.
 */
export const rowsTellingOf = (userId: string, after: number): Statement<TellingRow[]> =>
  db.all<TellingRow>(sql`SELECT id, sequence FROM (
    SELECT id, sequence, sum(items) OVER (ORDER BY sequence) - items AS earlier FROM (
      SELECT * FROM (SELECT l.id, l.rowid AS sequence, (SELECT count(*) ${TELLING_ITEMS}) AS items
        FROM audit_log l WHERE l.owner_id = ${userId} AND l.rowid > CAST(${after} AS INTEGER)
          AND (l.changes IS NOT NULL OR l.ip IS NOT NULL OR l.user_agent IS NOT NULL
            OR (l.facts IS NOT NULL AND l.action <> 'file.downloaded')
            OR EXISTS (SELECT 1 ${TELLING_ITEMS}))
        ORDER BY l.rowid LIMIT ${STEP})
      UNION ALL
      SELECT * FROM (SELECT l.id, l.rowid, 0 FROM audit_log l
        WHERE l.actor_id = ${userId} AND l.actor_id IS NOT l.owner_id
          AND l.rowid > CAST(${after} AS INTEGER)
          AND (l.ip IS NOT NULL OR l.user_agent IS NOT NULL)
        ORDER BY l.rowid LIMIT ${STEP})
      ORDER BY sequence LIMIT ${STEP}))
    WHERE earlier <= ${MOST_ITEMS} ORDER BY sequence`)

/**
 * Takes out of these rows what they say of a user who is being erased. Of what others own stays what was done,
 * of downloads how much. The commit that does this must log neither changes nor facts: it would not end.
 */
export const redactRows = (userId: string, ids: string[]): Statement[] => [
  db.run(sql`UPDATE audit_log_items SET changes = '{}' WHERE changes <> '{}' AND log_id IN
    (SELECT l.id FROM audit_log l WHERE l.id IN ${among(ids)} AND l.owner_id = ${userId})`),
  db.run(sql`UPDATE audit_log SET changes = NULL, ip = NULL, user_agent = NULL,
      facts = CASE action WHEN 'file.downloaded' THEN facts END
    WHERE id IN ${among(ids)} AND owner_id = ${userId}`),
  db.run(sql`UPDATE audit_log SET ip = NULL, user_agent = NULL
    WHERE id IN ${among(ids)} AND actor_id = ${userId}`),
]
