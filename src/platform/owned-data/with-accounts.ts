import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ownedData } from './owned-data.ts'
import { db, type Statement } from '../database/statements.ts'

// The rows of areas that belong to accounts and are erased with them.

/** Rows of a table that the commit erases which erases an account; what is more goes in steps before. */
const ROWS_AT_ONCE = 500

interface Tied {
  table: SQLiteTable
  accountId: SQLiteColumn
  atOnce: SQL
}

const tables = (but: readonly SQLiteTable[] = []): Tied[] =>
  ownedData()
    .flatMap(({ goWithAccount = [] }) => goWithAccount)
    .map((given) => {
      const { table, atOnce } = 'atOnce' in given ? given : { table: given, atOnce: ROWS_AT_ONCE }
      const { accountId }: Record<string, SQLiteColumn> = getTableColumns(table)
      if (!accountId) {
        throw new Error('goWithAccount: a table that goes with accounts names none')
      }
      return { table, accountId, atOnce: sql.raw(String(atOnce)) }
    })
    .filter(({ table }) => !but.includes(table))

/**
 * Erases all that goes with some accounts.
 * @param ids SELECTs their ids by their owner
 */
export const eraseWithAccounts = (ids: SQL): Statement[] =>
  tables().map(({ table, accountId }) => db.delete(table).where(sql`${accountId} IN (${ids})`))

/** SQL of whether more goes with an account than one commit erases, in other tables than some. */
export const hasMuch = (id: SQL, but: readonly SQLiteTable[] = []): SQL =>
  sql`(${sql.join(
    tables(but).map(
      ({ table, accountId, atOnce }) =>
        sql`EXISTS (SELECT 1 FROM ${table} WHERE ${accountId} = (${id}) LIMIT 1 OFFSET ${atOnce})`,
    ),
    sql` OR `,
  )})`

/** One row if more goes with an account, given as a SELECT, than one commit erases. */
export const muchWithAccount = (id: SQL): Statement<{ much: 1 }[]> =>
  db.all(sql`SELECT 1 AS much WHERE ${hasMuch(id)}`)

/** Erases some of what goes with an account, given as a SELECT of its id by its owner, in other tables than some. */
export const eraseSomeWithAccount = (id: SQL, but: readonly SQLiteTable[] = []): Statement[] =>
  tables(but).map(({ table, accountId, atOnce }) => {
    const key = sql.join(keyOf(table), sql`, `)
    return db
      .delete(table)
      .where(
        sql`(${key}) IN (SELECT ${key} FROM ${table} WHERE ${accountId} = (${id}) LIMIT ${atOnce})`,
      )
  })

function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}
