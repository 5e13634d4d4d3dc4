import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { type SuggestionKind, SCORES } from '../../../domain/reconciliation/finder.ts'
import {
  count,
  currency,
  date,
  integerField,
  money,
  nullableText,
  textField,
} from '../../../http/fields.ts'
import { numbersOf } from '../../money/reconciliations/reconciliations.public.ts'
import type { DifferenceSuggestions } from './suggestions.usecases.ts'

const KINDS = Object.keys(SCORES) as [SuggestionKind, ...SuggestionKind[]]

export const ReconciliationSuggestionsResponse = z
  .object({
    currency: currency('The currency of the account.'),
    difference: money(
      'Remaining difference; null if the sum contains private transactions that you cannot see.',
    ).nullable(),
    suggestions: z
      .array(
        z.object({
          kind: z.enum(KINDS).openapi({
            description:
              '`bankSays`: the bank said another amount. `notBooked`: a row of an import was not booked. `drift`: a reconciled transaction was changed. `tick`, `untick`, `pair`, `triple`: transactions to tick or untick. `all`: all transactions to tick, if `rows` has others, together with a correction of the first. `duplicate`: one of two is too many. `sign`, `transposed`, `shifted`: the amount is mistyped. `status`: the transaction is void, or dated up to 10 days after the statement. `otherAccount`: it is booked on another account. `age`: nothing was found; the account is wrong since `date`.',
            example: 'tick',
          }),
          rows: z
            .array(
              z.object({
                id: textField(
                  'Transaction, or row of an import.',
                  'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
                ),
                date: date('Its date.'),
                amount: money(
                  'Amount from the view of the account; for `drift`, the change of the amount.',
                ),
                description: nullableText(
                  'Its description; null if it has none, or if you cannot see it any more.',
                  'Coffee',
                ),
                payeeId: nullableText('Payee of the transaction.'),
                payeeRaw: nullableText('The other party as the bank wrote it.'),
              }),
            )
            .openapi({ description: 'Transactions that the suggestion is about.' }),
          toAmount: money('Amount that the transaction should have.').nullable(),
          date: date('Day of the first balance assertion that does not hold.').nullable(),
          effect: money('Amount that the suggestion adds to `clearedBalance`.'),
          score: z
            .number()
            .openapi({ description: 'How likely it is, from 0 to 1.', example: 0.85 }),
          others: integerField('Number of other choices of transactions with equal amounts.', 0),
          calls: z
            .array(
              z.object({
                method: z
                  .enum(['PATCH', 'POST'])
                  .openapi({ description: 'Method of the request.', example: 'PATCH' }),
                path: textField(
                  'Path of the request.',
                  '/reconciliation/rcn_01k9v3q8m5t0w2x4y6z8a1b3d5',
                ),
                body: z.any().openapi({
                  description: 'Body of the request; null for none.',
                  example: { tick: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5'] },
                }),
              }),
            )
            .openapi({
              description:
                'Requests that make the correction, in their order; empty if it has to be made by hand, see `note`.',
            }),
          note: nullableText(
            'If `calls` is empty: why, and what to do instead.',
            'This is one side of a transfer. Change the transfer.',
          ),
        }),
      )
      .openapi({ description: 'Suggestions, the most likely first; 20 at most.' }),
    count,
  })
  .openapi('ReconciliationSuggestionsResponse')

const NO_TEXTS = { description: null, payeeId: null, payeeRaw: null }

export function presentDifferenceSuggestions({
  view,
  suggestions,
  texts,
}: DifferenceSuggestions): z.infer<typeof ReconciliationSuggestionsResponse> {
  const formatted = (minor: number | bigint) => formatMoney(minor, view.currency)
  return {
    currency: view.currency,
    difference: view.isHidden === 1 ? null : formatted(numbersOf(view).difference),
    suggestions: suggestions.map(
      ({ kind, rows, toMinor, date: day, effect, score, others, calls, note }) => ({
        kind,
        rows: rows.map(({ id, date: of, minor }) => {
          const { description, payeeId, payeeRaw } = texts.get(id) ?? NO_TEXTS
          return {
            ...{ id, date: of, amount: formatted(minor) },
            ...{ description: description || null, payeeId, payeeRaw },
          }
        }),
        toAmount: toMinor === undefined ? null : formatted(toMinor),
        date: day ?? null,
        effect: formatted(effect),
        score,
        others,
        calls,
        note,
      }),
    ),
    count: suggestions.length,
  }
}
