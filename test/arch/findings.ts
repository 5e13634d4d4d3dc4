import type { DatabaseSync } from 'node:sqlite'
import { ledgerChecks } from '../../src/ledger/integrity/checks.queries.ts'
import { compile } from '../../src/platform/database/statements.ts'

interface Asked {
  sql: string
  values: never[]
}

// No trigger keeps a category where it belongs, and the lines of these tests have any of them on any side.
const { categories: _, ...keptChecks } = ledgerChecks

/** The statements of all checks of the ledger that triggers have a part in. */
export const ledgerStatements: Asked[] = Object.values(keptChecks).map((check) => {
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
