import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../platform/statements.ts'

/** Links to one transaction go to another, but for those between the two and those that it has already. */
export const moveRelations = (fromId: string, toId: string): Statement[] =>
  [
    ['source_id', 'target_id'],
    ['target_id', 'source_id'],
  ].map(([end = '', other = '']) =>
    db.run(sql`UPDATE OR IGNORE transaction_links SET ${sql.raw(end)} = ${toId}
      WHERE ${sql.raw(end)} = ${fromId} AND ${sql.raw(other)} <> ${toId}`),
  )
