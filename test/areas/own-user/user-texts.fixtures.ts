import { sql } from 'drizzle-orm'
import { commit } from '../../../src/platform/database/database.ts'
import { rows } from '../../support/api.ts'
import { testEvents } from '../../support/events.ts'
import { contextWith } from '../../support/service.ts'
import type { Owner } from './owners.fixtures.ts'

// The words of a user, in every column that can hold some.

/** Tables that no user has a row of, with what is in them. */
const OF_NOBODY: Record<string, string> = {
  download_days: 'sums',
  idempotency_keys: 'answers, sealed',
  identity_providers: 'what administrators say',
  log_readers: 'places in the log',
  log_seals: 'hashes',
  rate_limits: 'keyed hashes',
  role_permissions: 'a catalogue',
  roles: 'what administrators say',
  settings: 'what administrators say',
  sign_in_flows: 'journeys of minutes that nobody has begun as somebody',
  storage_classes: 'what administrators say',
  system_exchange_rates: 'what the world says',
  write_guard: 'nothing, ever',
}

/** Columns of codes, days, hashes and ids; nobody writes a word into one. */
const IS_CODE = new RegExp(
  `^(${[
    'id|.*_id|key|key_id|dedupe_key|.*_hash|hash|sha256|fingerprint|seed|.*_prefix|object_key|issuer|content_type',
    'kind|type|status|status_before|state|role|group_role|permission|write_scope|external_scope|source|side|reason|operation|.*_type|purpose|system|grain|flow|reader',
    'currency|.*_currency|codes|rate|interest_rate|minimum_percent|date|.*_date|time|month|period',
    'mode|unit|anchor|weekend|due_weekend|first_period|first_day|starts_on|accounts|policy|scope_kind|from_period|until_period|period_end',
    'archived_from|archived_into|cards|income_in_next_period|thresholds|target|image|items|facts|group_key',
    '.*_by|scopes|permitted|account_ids|matched_into|matched_part|number_last_four|locale|time_zone|error|payload',
  ].join('|')})$`,
)

/** What says whose a row is. */
const OWNERS = ['owner_id', 'user_id', 'issued_by', 'invited_by', 'created_by']

/** Hardly anything of them can be changed; something was put in whole. */
const UNCHANGED = ['entries', 'log_commits', 'log_events']

const JSONS = ['metadata', 'location']

interface Column {
  table: string
  column: string
  type: string
}

const allColumns = () =>
  rows<Column>(
    `SELECT t.name AS "table", c.name AS "column", upper(c.type) AS type
      FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
        AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB 'd1_*'`,
  )

/** The text columns of every table that may hold words. */
async function wordColumns(): Promise<Map<string, string[]>> {
  const texts = (await allColumns()).filter(
    ({ table, type }) => type === 'TEXT' && !(table in OF_NOBODY),
  )
  return new Map(
    [...Map.groupBy(texts, ({ table }) => table)].map(([table, columns]) => [
      table,
      columns.map(({ column }) => column).filter((column) => !IS_CODE.test(column)),
    ]),
  )
}

/** What tells that a text is the user's. */
const marksOf = ({ word, id, email, one }: Owner): string[] => [word, id, email, one]

/** Puts the word wherever the user could have written, or something was noted of it, and nothing stands yet. */
export async function fill(me: Owner): Promise<void> {
  const all = await allColumns()
  // The first that a table has says it, so that it is set last.
  const ownerOf = new Map(
    OWNERS.toReversed().flatMap((owner) =>
      all.filter(({ column }) => column === owner).map(({ table }) => [table, owner] as const),
    ),
  )
  for (const [table, columns] of await wordColumns()) {
    const owner = ownerOf.get(table)
    if (owner === undefined || columns.length === 0 || UNCHANGED.includes(table)) {
      continue
    }
    const isMarked = (column: string) =>
      marksOf(me)
        .map((mark) => `instr("${column}", '${mark}')`)
        .join(' OR ')
    const values = columns.map(
      (column) =>
        `"${column}" = CASE WHEN ${isMarked(column)} THEN "${column}" ELSE '${
          JSONS.includes(column) ? JSON.stringify({ note: me.word }) : me.word
        }' END`,
    )
    await rows(`UPDATE OR IGNORE "${table}" SET ${values.join()} WHERE "${owner}" = ?`, me.id)
  }
  const { id, word } = me
  const ctx = contextWith({
    caller: { userId: id, sessionId: null, tokenHash: null },
    client: { ip: word, userAgent: word },
  })
  const event = testEvents.told({ id, facts: sql`json_quote(${word})` }, { word })
  await commit(ctx, { changes: [{ statements: [], events: [event] }], result: undefined })
}

/** Columns that could hold words and hold none of this user: the search would not find what is left in them. */
export async function emptyColumns(me: Owner): Promise<string[]> {
  const empty: string[] = []
  for (const [table, columns] of await wordColumns()) {
    const isIn = (column: string) =>
      `max(${marksOf(me)
        .map((mark) => `ifnull(instr("${column}", '${mark}'), 0)`)
        .join(' + ')}) AS "${column}"`
    const [found] = await rows<Record<string, number | null>>(
      `SELECT ${['1 AS "1"', ...columns.map(isIn)].join()} FROM "${table}"`,
    )
    empty.push(
      ...columns.filter((column) => !found?.[column]).map((column) => `${table}.${column}`),
    )
  }
  return empty
}
