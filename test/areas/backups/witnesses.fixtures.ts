import { env } from 'cloudflare:workers'
import {
  pageOfArchived,
  shapeOf,
  tableNameOf,
} from '../../../src/platform/owned-data/archived-tables.ts'
import { read } from '../../../src/platform/database/database.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { bucketDump, listed } from '../own-user/households.fixtures.ts'
import { dump } from '../own-user/owners.fixtures.ts'

// What others have while somebody restores an archive: all of it must be the same afterwards.

/** Whoever must not be harmed, by the name under which a failed test tells of them. */
export type Witnesses = Record<string, { id: string }>

type Row = Record<string, string | number | null>

interface State {
  /** The rows that a backup of a witness has, by the witness and the table. */
  owned: Map<string, string>
  /** The events about what a witness has, each on a line. */
  log: Map<string, string>
  /** All rows of all tables but the log. */
  stored: Map<string, ReadonlySet<string>>
  /** The bytes in the bucket by their keys. */
  objects: Map<string, string>
}

/** The rows of a user in all tables of a backup, in its order. */
export async function archivedRowsOf({ id }: { id: string }): Promise<Map<string, Row[]>> {
  const tables = archivedTables()
  const found = await read(
    contextWith(),
    ...tables.map((table) => pageOfArchived(table, id, undefined)),
  )
  return new Map(
    tables.map((table, at) => [
      tableNameOf(table),
      // Without the position and the bytes of a page.
      (found[at] ?? []).map((row) =>
        Object.fromEntries(shapeOf(table).columns.map(({ name }) => [name, row[name] ?? null])),
      ),
    ]),
  )
}

/**
 * Tables with rows that change for other reasons: the clock, requests of others, and what is counted over all users, which is the
 * same once a user is erased.
 */
const PASSING = new Set([
  ...['tasks', 'rate_limits', 'log_readers', 'sqlite_sequence', 'd1_migrations'],
  ...['download_days', 'downloaders', 'budget_watch'],
])

/** Shares and groups with whoever restores end with them, and the log of the other side tells of that. */
const OF_SHARING = `e.resource_type NOT IN ('share', 'group') AND e.type NOT IN ('account.shared', 'account.unshared')`

/** The events about what somebody has, found by both indexes of owners: going through the whole log takes longer with each archive. */
const EVENTS_OF_OWNER = `FROM log_entries e WHERE e.owner_id = ?1 AND ${OF_SHARING} AND e.number IN (
  SELECT number FROM log_events WHERE owner_id = ?1
  UNION ALL SELECT o.number FROM log_commits c JOIN log_events o
    ON o.number >= c.first_event AND o.number < c.first_event + c.event_count WHERE c.owner_id = ?1)`

/**
 * What `stateOf` compares, as one text: where it stays equal, nothing is damaged. SQLite writes it in a fraction of the time that
 * all rows take as objects. Of a file it has the time at which it was written.
 * @param lastSeal the number of the last seal of the log that it has: there are more with each archive
 */
export async function imageOf(witnesses: Witnesses, lastSeal: number): Promise<string> {
  images ??= await queriesOfImages()
  const { tables, events } = images
  const found = await env.DB.batch<{ lines: string | null }>([
    ...tables.map(([name, query]) =>
      name === 'log_seals'
        ? env.DB.prepare(`${query} WHERE number <= ?`).bind(lastSeal)
        : env.DB.prepare(query),
    ),
    ...Object.values(witnesses).map(({ id }) => env.DB.prepare(events).bind(id)),
  ])
  const objects = (await listed()).map(
    ({ key, size, uploaded }) => `${key} ${size} ${uploaded.getTime()}`,
  )
  return [...found.map(({ results: [of] }) => of?.lines ?? ''), ...objects].join('\n\n')
}

let images: Awaited<ReturnType<typeof queriesOfImages>> | undefined

/** Each gives the rows of a table, or the events about what somebody has, as one text. */
async function queriesOfImages() {
  const found = await rows<{ name: string; line: string }>(
    `SELECT t.name, group_concat(format('quote("%w")', c.name), ' || '','' || ') AS line
      FROM sqlite_master t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND t.name NOT IN ('log_commits', 'log_events')
        OR t.name = 'log_entries'
      GROUP BY t.name`,
  )
  const queries = new Map(
    found.map(({ name, line }) => [name, `SELECT group_concat(${line}, char(10)) AS lines`]),
  )
  return {
    tables: [...queries]
      .filter(([name]) => name !== 'log_entries' && !PASSING.has(name))
      .map(([name, query]) => [name, `${query} FROM "${name}"`] as const),
    events: `${queries.get('log_entries')} ${EVENTS_OF_OWNER}`,
  }
}

export async function stateOf(witnesses: Witnesses): Promise<State> {
  const owned = new Map<string, string>()
  const log = new Map<string, string>()
  for (const [name, witness] of Object.entries(witnesses)) {
    for (const [table, some] of await archivedRowsOf(witness)) {
      owned.set(`${table} of the ${name}`, JSON.stringify(some))
    }
    const events = await rows<Row>(`SELECT e.* ${EVENTS_OF_OWNER} ORDER BY e.number`, witness.id)
    log.set(name, events.map((event) => JSON.stringify(event)).join('\n'))
  }
  const stored = Object.entries(await dump())
    .filter(([table]) => !PASSING.has(table))
    .map(([table, lines]) => [table, new Set(lines)] as const)
  return { owned, log, stored: new Map(stored), objects: new Map(await bucketDump()) }
}

/** In what others differ from what they were: rows of theirs, events about them, and whatever else was stored before. */
export function damageOf(before: State, after: State): string[] {
  const differing = <Value>(one: Map<string, Value>, other: Map<string, Value>) =>
    [...one].filter(([key, value]) => other.get(key) !== value).map(([key]) => key)
  const missing = [...before.stored].flatMap(([table, lines]) => {
    const now = after.stored.get(table)
    const count = [...lines].filter((line) => now?.has(line) !== true).length
    return count === 0 ? [] : [`${count} rows of ${table} are gone or changed`]
  })
  return [
    ...differing(before.owned, after.owned).map((place) => `${place} differ`),
    ...differing(before.log, after.log).map((name) => `the log of the ${name} differs`),
    ...missing,
    ...differing(before.objects, after.objects).map((key) => `the bytes of ${key} differ`),
  ]
}

/** An id that stands for a thing, alone or within another text. */
export const ANY_ID = /\b([a-z]{2,8})_([0-7][0-9a-hjkmnp-tv-z]{25})\b/g

/** All ids that the rows of a user say, also those of what is there no more. */
export async function idsIn(user: { id: string }): Promise<string[]> {
  const text = JSON.stringify([...(await archivedRowsOf(user)).values()])
  return [...new Set(text.match(ANY_ID))].toSorted()
}

/** Users and groups are named by others, too: who did something stays known. */
const NAMED_BY_OTHERS = /^(?:usr|grp)_/

/**
 * Where rows of a user have or name an id with one of these cores, under any prefix: as the whole text of a column, and in JSON as a
 * text or as a word in the name of a field.
 */
export async function namesIn(
  user: { id: string },
  cores: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [table, some] of await archivedRowsOf(user)) {
    for (const [column, value] of some.flatMap((row) => Object.entries(row))) {
      const texts = typeof value === 'string' ? textsIn(value) : []
      if (texts.some((text) => !NAMED_BY_OTHERS.test(text) && cores.has(coreIn(text)))) {
        found.add(`${table}.${column} names a thing of others`)
      }
    }
  }
  return found
}

const coreIn = (text: string): string =>
  /^[a-z]{2,8}_([0-9a-z]{26})(?:-\d+)?$/.exec(text)?.[1] ?? ''

const textsIn = (text: string): string[] =>
  /^[[{"]/.test(text) ? [text, ...textsInJson(parsed(text))] : [text]

const textsInJson = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => [...key.split(' '), ...textsInJson(one)])
      : []

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The key of the object with the bytes of a file. */
export async function objectOf(fileId: string): Promise<string> {
  const [file] = await rows<{ key: string }>(
    'SELECT object_key AS key FROM attachments WHERE id = ?',
    fileId,
  )
  return file?.key ?? ''
}
