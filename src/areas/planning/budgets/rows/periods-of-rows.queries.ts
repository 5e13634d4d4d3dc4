import { type Placeholder, type SQL, sql } from 'drizzle-orm'

// The rule of periods of `domain/budgets/periods.ts` in SQL, for a statement that cannot wait for the budget to be read.

/** The nominal start with an index. */
const nominalOf = (index: string): SQL =>
  sql.raw(`iif(by_month, date(anchor_month, (${index} * step) || ' months', (min(anchor_day, CAST(strftime('%d',
    date(anchor_month, (${index} * step + 1) || ' months', '-1 day')) AS INTEGER)) - 1) || ' days'),
  date(anchor, (${index} * step) || ' days'))`)

/** A nominal start that is moved off a Saturday, 6, or a Sunday, 0. */
const offWeekend = (nominal: string): SQL =>
  sql.raw(`date(${nominal}, CASE weekend || strftime('%w', ${nominal})
  WHEN 'before6' THEN '-1 day' WHEN 'before0' THEN '-2 days'
  WHEN 'after6' THEN '+2 days' WHEN 'after0' THEN '+1 day' ELSE '+0 days' END)`)

/**
 * The table `periods` of the budget `b`, of a statement's WITH: the one that is named, or those that contain one of the days that
 * today may be; of what came late, all closed ones, each with the moment of its closing. A `slot` tells those apart of which only
 * one is meant.
 * @param days JSON list
 */
export const periodTables = ({
  which,
  named,
  days,
}: Record<'which' | 'named' | 'days', Placeholder>): SQL => sql`
  rule AS MATERIALIZED (SELECT id, mode, first_day, anchor, weekend, unit IN ('month', 'year') AS by_month,
      unit_count * CASE unit WHEN 'week' THEN 7 WHEN 'year' THEN 12 ELSE 1 END AS step,
      substr(anchor, 1, 7) || '-01' AS anchor_month, CAST(substr(anchor, 9) AS INTEGER) AS anchor_day FROM b),
  wanted AS (SELECT max(today.value, first_day) AS day, 0 AS is_name, -1 AS closed_at
      FROM rule CROSS JOIN json_each(${days}) today WHERE ${which} <> 'late' AND ${named} = 'current'
    UNION SELECT ${named}, 1, -1 WHERE ${which} <> 'late' AND ${named} <> 'current'
    UNION SELECT closed.period, 1, closed.closed_at FROM rule CROSS JOIN budget_closings closed
      ON closed.budget_id = rule.id AND ${which} = 'late' AND rule.mode = 'envelope'),
  distances AS (SELECT *, CAST(iif(by_month, (substr(day, 1, 4) - substr(anchor, 1, 4)) * 12 + substr(day, 6, 2) - substr(anchor, 6, 2),
      julianday(day) - julianday(anchor)) AS INTEGER) AS distance FROM rule CROSS JOIN wanted),
  indexes AS (SELECT *, (distance - (distance % step + step) % step) / step + near.value AS at
    FROM distances CROSS JOIN json_each('[-1,0,1]') near),
  nominals AS (SELECT *, ${nominalOf('at')} AS nominal, ${nominalOf('(at + 1)')} AS following FROM indexes),
  bounds AS (SELECT *, ${offWeekend('nominal')} AS start, date(${offWeekend('following')}, '-1 day') AS "end" FROM nominals),
  periods AS MATERIALIZED (SELECT DISTINCT nominal, start, "end", closed_at, iif(${which} = 'late', '', nominal) AS slot
    FROM bounds WHERE iif(is_name, nominal = day, day BETWEEN start AND "end"))`
