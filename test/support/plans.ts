import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { rows } from './api.ts'

/** Statements by their text: who sent each first, and with which values. */
export type Heard = Map<string, { by: string; values: unknown[] }>

/** The real database, with somebody who listens to all that is sent to it. */
export function overheardDatabase(): {
  database: D1Database
  heard: Heard
  /** Who speaks from now on. */
  attend: (who: string) => void
} {
  const heard: Heard = new Map()
  let by = ''
  const listening = (session: D1DatabaseSession) => ({
    getBookmark: () => session.getBookmark(),
    batch: <Row>(statements: D1PreparedStatement[]) => session.batch<Row>(statements),
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => {
        if (!heard.has(sql)) {
          heard.set(sql, { by, values })
        }
        return session.prepare(sql).bind(...values)
      },
    }),
  })
  const withSession = (start: string) => listening(env.DB.withSession(start))
  return {
    database: { withSession } as unknown as D1Database,
    heard,
    attend: (who) => (by = who),
  }
}

/** What triggers do, as statements of their own: the plan of a statement says nothing of its triggers. */
export async function heardOfTriggers(): Promise<Heard> {
  const triggers = await rows<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  )
  return new Map(
    triggers.flatMap(({ name, sql }) => {
      const [head = '', body = ''] = sql.split(/\bBEGIN\b/)
      const condition = /\bWHEN\b(.*)$/s.exec(head)?.[1]
      const statements = body.replace(/\bEND;?\s*$/, '').split(';')
      return [...(condition ? [`SELECT 1 WHERE ${condition}`] : []), ...statements]
        .filter((one) => one.trim() !== '' && !one.includes('RAISE('))
        .map((one) => [
          one.trim().replaceAll(/\b(?:NEW|OLD)\.(?:\w+|"\w+")/g, "'x'"),
          { by: name, values: [] },
        ])
    }),
  )
}

/** A statement that reads a stored table from one end to the other. */
export interface Scan {
  by: string
  table: string
  /** As the database words it. */
  step: string
  sql: string
}

/** Who may read these tables whole, and why. All others grow with what people do. */
export type Allowed = Record<string, { by: string[]; because: string }>

const isBy = (who: string, { by }: Scan) => by.split(' ')[0] === who

/**
 * Says what was found and is not allowed, and what is allowed and was not found.
 * @param isAsked whether somebody was asked at all
 */
export const amiss = (
  scans: Scan[],
  allowed: Allowed,
  isAsked: (who: string) => boolean = () => true,
): { found: Scan[]; surplus: string[] } => ({
  found: scans.filter((scan) => !allowed[scan.table]?.by.some((who) => isBy(who, scan))),
  surplus: Object.entries(allowed).flatMap(([table, { by }]) =>
    by
      .filter((who) => isAsked(who))
      .filter((who) => !scans.some((scan) => scan.table === table && isBy(who, scan)))
      .map((who) => `${who} reads ${table}`),
  ),
})

/** How the database goes about a statement, whatever the nightly task has learned of the few rows of a test. */
export async function planOf(sql: string, values: unknown[]): Promise<string[]> {
  await forgetStatistics()
  const steps = await rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
  return steps.map(({ detail }) => detail)
}

async function forgetStatistics(): Promise<void> {
  await rows('DROP TABLE IF EXISTS sqlite_stat1')
  // A change of the schema that is taken back has all of it read anew, and the sizes of tables guessed anew.
  const taken = ['CREATE TABLE taken_back (id)', 'INSERT INTO write_guard VALUES (1)']
  await expect(env.DB.batch(taken.map((sql) => env.DB.prepare(sql)))).rejects.toThrow('premise_1')
}

/** What of all that was heard reads whole tables. */
export async function scansIn(heard: Heard): Promise<Scan[]> {
  await forgetStatistics()
  const statements = [...heard].map(([sql, { by, values }]) => ({ sql, by, values }))
  const plans = await env.DB.batch<{ detail: string }>(
    statements.map(({ sql, values }) =>
      env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values),
    ),
  )
  const tables = await rows<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
  const names = tables.map(({ name }) => name)
  return statements.flatMap(({ sql, by }, at) => {
    const stored = storedIn(sql, names)
    return (plans[at]?.results ?? []).flatMap(({ detail }) => {
      const table = stored.get(scannedBy(detail) ?? '')
      return table === undefined ? [] : [{ by, table, step: detail, sql }]
    })
  })
}

/** What a step goes all through, or builds an index of all of. */
const scannedBy = (step: string): string | undefined =>
  /^SCAN (\w+)(?! (?:CONSTANT|VIRTUAL))/.exec(step)?.[1] ??
  /^SEARCH (\w+) USING (?:AUTOMATIC|.*\bANY\()/.exec(step)?.[1]

/** The stored tables by every name that a statement may give them; too many are found rather than too few. */
function storedIn(sql: string, tables: string[]): Map<string, string> {
  const aliases = tables.flatMap((table) =>
    [...sql.matchAll(new RegExp(`\\b${table}\\b"?(?:\\s+AS)?\\s+"?(\\w+)`, 'gi'))].map(
      ([, alias = '']) => [alias, table] as const,
    ),
  )
  return new Map([...aliases, ...tables.map((table) => [table, table] as const)])
}
