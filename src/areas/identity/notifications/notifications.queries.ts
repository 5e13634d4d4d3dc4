import { sql } from 'drizzle-orm'
import { db, type Statement } from '../../../platform/database/statements.ts'

/** A notification to be stored. */
export interface NewNotification {
  id: string
  userId: string
  kind: string
  resourceType: string
  resourceId: string
  /** Ids and counts: neither amounts nor words. */
  facts: Record<string, string | number>
  /** Its kind and what it is about. */
  groupKey: string
  createdAt: number
}

/** Stores notifications of users. */
export const insertNotifications = (all: NewNotification[]): Statement =>
  db.run(sql`INSERT INTO notifications (id, user_id, kind, resource_type, resource_id, facts, group_key, created_at)
    SELECT value ->> 'id', value ->> 'userId', value ->> 'kind', value ->> 'resourceType', value ->> 'resourceId',
      json(value -> 'facts'), value ->> 'groupKey', value ->> 'createdAt'
    FROM json_each(${JSON.stringify(all)})`)
