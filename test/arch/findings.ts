import type { DatabaseSync } from 'node:sqlite'
import { ledgerChecks } from '../../src/ledger/integrity/checks.queries.ts'
import { compile } from '../../src/platform/statements.ts'

interface Asked {
  sql: string
  values: never[]
}

/** The statements of all checks of the ledger. */
export const ledgerStatements: Asked[] = Object.values(ledgerChecks).map((check) => {
  let asked: Asked = { sql: '', values: [] }
  const listener = {
    prepare: (sql: string) => ({ bind: (...values: never[]) => (asked = { sql, values }) }),
  }
  compile(listener as unknown as D1DatabaseSession, check())
  return asked
})

/** What some checks find in a database, in words. */
export const findingsIn = (database: DatabaseSync, looking = ledgerStatements): string[] =>
  looking.flatMap(({ sql, values }) =>
    database
      .prepare(sql)
      .all(...values)
      .map(({ finding }) => String(finding)),
  )
