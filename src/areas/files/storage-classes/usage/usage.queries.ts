import { sql } from 'drizzle-orm'
import type { PageRequest } from '../../../../platform/paging.ts'
import { db } from '../../../../platform/statements.ts'

export interface Amounts {
  bytes: number
  objects: number
}

export interface Holder extends Amounts {
  id: string
  kind: 'group' | 'user'
}

const isAfter = ([bytes, id]: string[]) =>
  bytes === undefined
    ? sql`true`
    : sql`(-u.bytes, u.holder_id) > (-CAST(${bytes} AS INTEGER), ${id})`

/** The most bytes first; one row more than the page. */
export const pageOfHolders = (classId: string, page: PageRequest) =>
  db.all<Holder>(sql`SELECT u.holder_id AS id, iif(g.id IS NULL, 'user', 'group') AS kind, u.bytes, u.objects
    FROM storage_usage u LEFT JOIN groups g ON g.id = u.holder_id
    WHERE u.storage_class_id = ${classId} AND ${isAfter(page.after ?? [])}
    ORDER BY -u.bytes, u.holder_id LIMIT CAST(${page.limit + 1} AS INTEGER)`)

export const totalOfHolders = (classId: string) =>
  db.all<Amounts & { count: number }>(sql`SELECT count(*) AS count, ifnull(sum(bytes), 0) AS bytes,
      ifnull(sum(objects), 0) AS objects
    FROM storage_usage WHERE storage_class_id = ${classId}`)
