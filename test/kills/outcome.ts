import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { filesFolder } from '../../src/hosts/node/data-folder.ts'
import { type Ask, sentMails, withData } from './machine.ts'

// What is in a data folder, in a form in which two runs of the same work are equal.

/** What is told of how work goes, and not of what it comes to: it may be there once more for each run that was killed. */
const MAY_REPEAT =
  /^(task\..*|mail\.sent|reader\..*|auditLog\.sealed|auditLog\.begun|backup\.begun|export\.begun|auditLog\.exportBegun|user\.erasureBegun|trash\.purgeBegun)$/

/** Tables that say how work goes. */
const OF_WORK = [
  'tasks',
  'log_commits',
  'log_events',
  'log_seals',
  'log_readers',
  'sqlite_sequence',
]

/** What counts runs, or has them in it: the log of its owner, in a backup. */
function withoutRuns(table: string, row: Record<string, unknown>): Record<string, unknown> {
  if (table !== 'archives' || !String(row['manifest']).startsWith('{')) {
    return row
  }
  const { counts = {}, entries } = JSON.parse(String(row['manifest'])) as {
    counts?: Record<string, number>
    entries?: number
  }
  const { auditLog: _, ...others } = counts
  return { ...row, ...{ version: 0, size: 0, manifest: { counts: others, entries } } }
}

const TOKEN = /[\w+/=:.-]{16,}|\b\d{13}\b/g

type Rows = Record<string, string[]>

function tablesOf(ask: Ask): Rows {
  const tables = ask<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*'",
  )
  const found: Rows = {}
  for (const { name } of tables.filter((table) => !OF_WORK.includes(table.name))) {
    const all = ask<Record<string, unknown>>(`SELECT * FROM "${name}"`)
    found[name] = all.map((row) => JSON.stringify(withoutRuns(name, row)))
  }
  return found
}

export function objectsOf(data: string): string[] {
  const folder = filesFolder(data)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isFile())
    .toSorted()
}

/** All ids, hashes and times of a data folder: what another one has beside them, it has made itself. */
export function tokensOf(data: string): Set<string> {
  const tables = withData(data, tablesOf)
  const text = [...Object.values(tables).flat(), ...objectsOf(data)].join('\n')
  return new Set(text.match(TOKEN))
}

/** @param known what was there before the work */
export function outcomeOf(data: string, known: ReadonlySet<string>) {
  const told = (text: string) => text.replace(TOKEN, (token) => (known.has(token) ? token : '*'))
  return {
    ...withData(data, (ask) => rowsOf(ask, told)),
    objects: objectsOf(data)
      .map((key) => {
        const bytes = readFileSync(join(filesFolder(data), key))
        return `${told(key)} ${known.has(key) ? bytes.toString('base64') : ''}`
      })
      .toSorted(),
    // At least once.
    mails: [...new Set(sentMails(data))].toSorted(),
  }
}

function rowsOf(ask: Ask, told: (text: string) => string) {
  const tables = Object.entries(tablesOf(ask)).map(
    ([name, all]) => [name, all.map(told).toSorted()] as const,
  )
  const events = ask<{ type: string; count: number }>(
    'SELECT type, count(*) AS count FROM log_entries GROUP BY type ORDER BY type',
  )
  const tasks = ask<{ task: string }>(
    "SELECT kind || ' ' || state || ' ' || ifnull(error, '') AS task FROM tasks ORDER BY kind, state",
  )
  const [kept] = ask<{ old: number }>(
    `SELECT count(*) AS old FROM log_commits WHERE at < ${Date.UTC(2026, 0)}`,
  )
  const [log] = ask<{ unsealed: number }>(
    `SELECT count(*) AS unsealed FROM log_commits
      WHERE at <= ${Date.now()} AND number > (SELECT ifnull(max(number), 0) FROM log_seals)`,
  )
  return {
    /** Of what was in the log before the work, which is done on another day. */
    unsealed: log?.unsealed,
    /** What of the log is in no segment alone. */
    old: kept?.old,
    tables: Object.fromEntries(tables),
    events: events.filter(({ type }) => !MAY_REPEAT.test(type)),
    tasks: tasks.map(({ task }) => task),
  }
}

/** Keys of objects that no row names, and of rows whose object is not there. */
export function unmatched(data: string): { orphans: string[]; lost: string[] } {
  const named = new Set(withData(data, namedObjects))
  const objects = new Set(objectsOf(data))
  return {
    orphans: [...objects].filter((key) => !named.has(key)),
    lost: [...named].filter((key) => !objects.has(key)),
  }
}

function namedObjects(ask: Ask): string[] {
  const columns = ask<{ name: string }>(
    `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.name = 'object_key'`,
  )
  return columns.flatMap(({ name }) =>
    ask<{ key: string }>(
      `SELECT object_key AS key FROM "${name}" WHERE object_key IS NOT NULL`,
    ).map(({ key }) => key),
  )
}
