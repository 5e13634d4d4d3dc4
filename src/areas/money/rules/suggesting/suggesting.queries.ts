import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { SUGGESTION_BOUNDS } from '../../../../domain/rules/suggest.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/database/statements.ts'
import { ownAccountIds, ownedBy } from '../../../identity/access/access.public.ts'
import type { CategorisedRow } from './suggesting.rules.ts'

const { rows: ROWS, rowsOfTexts, fewest, ofGroup } = SUGGESTION_BOUNDS
const number = (value: number) => sql.raw(String(value))

/** Keys have no brackets, so that blanks which follow each other are found by them. */
const withoutDigits = (key: string): string => {
  const letters = [...'0123456789'].reduce((text, digit) => `replace(${text}, '${digit}', '')`, key)
  return `trim(replace(replace(replace(${letters}, ' ', '<>'), '><', ''), '<>', ' '))`
}

/** The two first lines of `search_text`: the keys of the description and of the text of the bank. */
const DESCRIPTION = 'substr(texts, 1, instr(texts, char(10)) - 1)'
const FROM_RAW = 'substr(texts, instr(texts, char(10)) + 1)'
const RAW = `substr(${FROM_RAW}, 1, instr(${FROM_RAW}, char(10)) - 1)`

/**
 * The newest rows of each payee, and of each text where there is no payee, on the caller's own accounts; newest first. A category
 * counts that has the whole amount, as those of parts say nothing of the whole. Up to the last step, indexes answer.
 */
export const categorisedRows = (
  ctx: SignedIn,
  { from, to }: { from: CalendarDate; to: CalendarDate },
) =>
  db.all<CategorisedRow>(sql`WITH own AS MATERIALIZED (${ownAccountIds(ctx)}),
    recent AS MATERIALIZED (SELECT e.transaction_id AS id, e.date, e.amount_minor AS amount FROM entries e
      WHERE ${ownedBy(ctx.caller, 'e.owner_id')} AND e.side = 'account' AND e.date BETWEEN ${from} AND ${to}
        AND e.line = 1 AND e.transaction_id >= 'txn_' AND e.status <> 'void' AND e.uncategorised = 0
        AND e.account_id IN (SELECT id FROM own)
      ORDER BY e.date DESC, e.transaction_id DESC LIMIT ${number(ROWS)}),
    labelled AS MATERIALIZED (SELECT r.id, r.date, c.category_id, l.payee_id
      FROM recent r CROSS JOIN entries c ON c.transaction_id = r.id AND c.line > 1 AND c.side IN ('expense', 'income')
        AND c.category_id IS NOT NULL AND c.amount_minor = -r.amount
      LEFT JOIN transaction_payees l ON l.transaction_id = r.id AND l.line = 0),
    texts AS MATERIALIZED (SELECT w.*, (SELECT t.search_text FROM transactions t
        WHERE ${ownedBy(ctx.caller, 't.owner_id')} AND t.id = w.id) AS texts
      FROM (SELECT id, date, category_id FROM labelled WHERE payee_id IS NULL
        ORDER BY date DESC, id DESC LIMIT ${number(rowsOfTexts)}) w),
    keys AS MATERIALIZED (SELECT id, date, category_id, ${sql.raw(RAW)} AS raw, ${sql.raw(DESCRIPTION)} AS description FROM texts),
    worded AS MATERIALIZED (SELECT id, date, category_id, field, text, ${sql.raw(withoutDigits('text'))} AS words
      FROM (SELECT id, date, category_id, iif(raw <> '', 'payeeRaw', 'description') AS field,
        iif(raw <> '', raw, description) AS text FROM keys)),
    placed AS MATERIALIZED (
      SELECT id, date, category_id, payee_id, NULL AS field, NULL AS text, NULL AS words,
          row_number() OVER (PARTITION BY payee_id ORDER BY date DESC, id DESC) AS place
        FROM labelled WHERE payee_id IS NOT NULL
      UNION ALL SELECT id, date, category_id, NULL, field, text, words,
          row_number() OVER (PARTITION BY field, words ORDER BY date DESC, id DESC)
        FROM worded WHERE words <> '')
    SELECT p.category_id AS categoryId, c.name AS categoryName, c.archived AS isArchived, p.payee_id AS payeeId,
      y.name AS payeeName, y.default_category_id AS usualCategoryId, p.text, p.words, p.field,
      CASE WHEN p.payee_id IS NULL AND p.place = ${number(fewest)} THEN (SELECT json_object('kind', t.kind,
          'accountId', e.account_id, 'currency', e.currency, 'date', e.date, 'amountMinor', e.amount_minor, 'source', t.source,
          'private', t.private, 'metadata', t.metadata, 'payeeRaw', t.payee_raw, 'description', t.description, 'note', t.note)
        FROM transactions t JOIN entries e ON e.transaction_id = t.id AND e.line = 1 WHERE t.id = p.id) END AS sample
    FROM placed p JOIN categories c ON c.id = p.category_id LEFT JOIN payees y ON y.id = p.payee_id
    WHERE p.place <= ${number(ofGroup)} AND ifnull(y.archived, 0) = 0
    ORDER BY p.date DESC, p.id DESC`)
