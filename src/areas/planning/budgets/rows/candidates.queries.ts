import { type SQL, sql } from 'drizzle-orm'
import { hasPayeeOf, hasTagOf } from '../figures/figures.queries.ts'
import { isOfAccount } from './asked-lines.queries.ts'
import {
  hasCountedStatus,
  isAmong,
  isHidden,
  isLateEnough,
  keyOf,
  ofEntry,
} from './counting.queries.ts'

/** The entries in the periods that are asked of, with a label that the line names. */
function withLabel(kind: 'tag' | 'payee'): SQL {
  const [label, entry] = kind === 'tag' ? ['tagged', 'of_tag'] : ['paid', 'of_payee']
  const isOne = kind === 'tag' ? hasTagOf(entry, label) : hasPayeeOf(entry, label)
  const [by, wanted] = [`by_${kind}`, `wanted_${kind}`]
  return sql`${sql.raw(`SELECT ${by}.at, ${entry}.transaction_id, ${entry}.line, ${entry}.date FROM asked ${by}
      CROSS JOIN named ${wanted} ON ${wanted}.era = ${by}.era AND ${wanted}.line_id = ${by}.line_id
      CROSS JOIN transaction_${kind}s ${label} ON ${label}.${kind}_id = ${wanted}.target_id
      CROSS JOIN entries ${entry} ON ${entry}.transaction_id = ${label}.transaction_id`)} AND ${isOne}
    ${sql.raw(`WHERE ${by}.how = '${kind}' AND ${entry}.date BETWEEN ${by}.start AND ${by}."end"`)}`
}

/** The table `labelled` of the entries with a label that lines by label name: all of their periods, as no index has them by date. */
export const labelledTable = sql`labelled(at, transaction_id, line, date) AS MATERIALIZED (${withLabel('tag')} UNION ${withLabel('payee')})`

/** Entries as JSON, each once. */
const entriesOf = (e: string) =>
  sql.raw(`json_group_array(DISTINCT json_array(${e}.transaction_id, ${e}.line))`)

/**
 * The table `counted` of the entries of the table `spans` that count where their `key` is not null, those that nobody is shown
 * included. Spans are rows of `asked`, maybe with fewer days.
 */
export const countedTable = sql`
  candidates(at, transaction_id, line) AS (
    SELECT span.at, found.value ->> 0, found.value ->> 1 FROM spans span CROSS JOIN json_each(CASE
      WHEN span.how = 'category' THEN (SELECT ${entriesOf('f')} FROM covered counted_in
          CROSS JOIN entries f ON f.category_id = counted_in.id AND f.date BETWEEN span.start AND span."end"
        WHERE counted_in.era = span.era AND counted_in.line_id = span.line_id AND ${isLateEnough('f', 'span')})
      WHEN span.how IN ('account', 'card') THEN (SELECT ${entriesOf('part')} FROM inside i
          CROSS JOIN entries a ON a.side = 'account' AND a.account_id = i.id AND a.date BETWEEN span.start AND span."end"
          CROSS JOIN entries part ON part.transaction_id = a.transaction_id AND part.account_id = a.account_id
        WHERE ${isOfAccount('span', 'i')} AND ${isLateEnough('a', 'span')})
      ELSE (SELECT ${entriesOf('labelled')} FROM labelled
        WHERE labelled.at = span.at AND labelled.date BETWEEN span.start AND span."end") END) found),
  counted AS (SELECT p.at, p.slot, p.card, e.transaction_id, e.line, e.date, of_entry.currency,
      iif(p.how = 'card', -1, 1) * ifnull(e.flow_minor, 0 - e.amount_minor) AS minor,
      ${isHidden('e')} OR NOT ${sql.raw(isAmong('seen_ids', 'e.account_id'))} AS is_hidden, ${keyOf(ofEntry('e'), isHidden('e'))} AS key
    FROM known b CROSS JOIN candidates CROSS JOIN asked p ON p.at = candidates.at
      CROSS JOIN entries e ON e.transaction_id = candidates.transaction_id AND e.line = candidates.line
      CROSS JOIN inside of_entry ON of_entry.id = e.account_id
    WHERE ${hasCountedStatus('e')})`
