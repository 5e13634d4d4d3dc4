import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { unstable_splitSqlQuery } from 'wrangler'
import { inProject, MIGRATIONS } from './project.ts'

// Makes migrations of views and triggers, which drizzle-kit does not know. Each is declared once in `drizzle/views`
// or `drizzle/triggers`, in a file for each area.

/** Views first, as triggers read them. */
const FOLDERS = ['views', 'triggers']
const MADE = /CREATE (VIEW|TRIGGER) (\w+)\s[^]*$/

/** Something of the schema, by its name: the statement that makes it. */
type SchemaObjects = Map<string, { type: string; sql: string }>

/** SQL files of a folder, in the order of their names. */
const sqlFilesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))

/** The views and triggers that there should be. */
export function declaredViewsAndTriggers(): SchemaObjects {
  const statements = FOLDERS.flatMap((folder) => sqlFilesOf(inProject('drizzle', folder))).flatMap(
    (text) => unstable_splitSqlQuery(text),
  )
  return new Map(
    statements.map((statement) => {
      const [sql, type = '', name = ''] = MADE.exec(statement) ?? []
      if (sql === undefined) {
        throw new Error(`This makes no view and no trigger:\n${statement}`)
      }
      return [name, { type, sql: sql.replace(/;\s*$/, '') }]
    }),
  )
}

/** The views and triggers that the migrations of a folder make. */
export function migratedViewsAndTriggers(migrations = MIGRATIONS): SchemaObjects {
  const database = new DatabaseSync(':memory:')
  sqlFilesOf(migrations).forEach((sql) => database.exec(sql))
  const made = database
    .prepare(
      "SELECT name, upper(type) AS type, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')",
    )
    .all() as unknown as { name: string; type: string; sql: string }[]
  database.close()
  return new Map(made.map(({ name, ...one }) => [name, one]))
}

/** The statements that turn one set into the other: what is gone or another is dropped, then what is new or another is made. */
export function changesOf(from: SchemaObjects, to: SchemaObjects): string[] {
  const isKept = (name: string) => textOf(from.get(name)) === textOf(to.get(name))
  const dropped = [...from].filter(([name]) => !isKept(name))
  const made = [...to].filter(([name]) => !isKept(name))
  return [
    // Triggers first, as they read views.
    ...dropped.toReversed().map(([name, { type }]) => `DROP ${type} ${name};`),
    ...made.map(([, { sql }]) => `${sql};`),
  ]
}

/** Returns the text of a statement for comparison, without layout and comments. */
const textOf = (made: { sql: string } | undefined) =>
  made?.sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()
