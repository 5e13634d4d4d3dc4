import { sql } from 'drizzle-orm'
import { db } from '../../../../platform/database/statements.ts'

/** Grows with whatever happens to the data of the user. */
export const lastChangeOf = (ownerId: string) =>
  db.all<{ sequence: number }>(
    sql`SELECT max(ifnull((SELECT max(c.first_event) FROM log_commits c WHERE c.owner_id = ${ownerId}), 0),
      ifnull((SELECT max(e.number) FROM log_events e WHERE e.owner_id = ${ownerId}), 0)) AS sequence`,
  )
