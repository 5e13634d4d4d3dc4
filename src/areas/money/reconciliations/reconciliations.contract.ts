import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  booleanField,
  currency,
  date,
  dateInput,
  id,
  idInput,
  instant,
  integerField,
  money,
  moneyInput,
  nullableText,
  presentStamps,
  stamps,
  text,
  toInstant,
  toInstantOrNull,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { statusField } from '../transaction-views/transaction-views.public.ts'
import { filterFields } from '../transactions/transactions.public.ts'
import {
  numbersOf,
  PREFILLS,
  type ReconciliationView,
  STATES,
  type Drift,
} from './reconciliations.rules.ts'
import type { Reconciliation } from './reconciliations.usecases.ts'

const statementDate = dateInput('Last day of the statement; today at most.')
const closingBalance = moneyInput(
  'Balance at the end of the statement, in the currency of the account; money that is owed is negative.',
)

const words = {
  note: text(0, 2000, 'Free text.', 'Statement 3 of 2026').nullable().optional(),
  attachmentId: idInput('att', 'Own file of the statement.').nullable().optional(),
}

export const StartReconciliationRequest = z
  .strictObject({
    accountId: idInput('acc', 'Account.'),
    statementDate,
    closingBalance,
    prefill: z.enum(PREFILLS).default('cleared').openapi({
      description:
        'Transactions that are ticked at the beginning: `cleared` ones; those that the `import` booked or matched, with the opening balance in the first reconciliation of an account; or `none`.',
      example: 'cleared',
    }),
    ...words,
    importId: idInput('imp', 'Own import of the statement, which was booked.').optional(),
  })
  .openapi('StartReconciliationRequest')

/** The maximum number of transactions in one request. */
const MOST_NAMED = 500

const named = (description: string) =>
  z
    .array(idInput('txn', 'Id of a transaction.'))
    .max(MOST_NAMED)
    .refine(
      (ids) => new Set(ids).size === ids.length,
      must('must not name a transaction twice', 'repeated'),
    )
    .optional()
    .openapi({ description, example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5'] })

const { accountId: _account, ...filters } = filterFields(booleanField)

export const UpdateReconciliationRequest = z
  .strictObject({
    statementDate: statementDate.optional(),
    closingBalance: closingBalance.optional(),
    ...words,
    tick: named('Ids of transactions of the account to tick.'),
    untick: named(
      'Ids of transactions to untick, all of which you must see. Transactions that are not ticked stay unticked.',
    ),
    tickWhere: z
      .strictObject(filters)
      .refine(
        (filter) => Object.keys(filter).length > 0,
        must('must name at least one condition', 'required'),
      )
      .optional()
      .openapi({
        description:
          'Ticks all transactions through the statement date that match the filters of `GET /transaction` and can be ticked. Pending ones are left out.',
      }),
  })
  .openapi('UpdateReconciliationRequest')

const state = z.enum(STATES).openapi({
  description:
    '`open`: rows can be ticked. `finished`: the ticked rows are reconciled. `undone`: it was finished, undone and then abandoned.',
  example: 'open',
})

export const ListReconciliationsQuery = z.strictObject({
  accountId: idInput('acc', 'Only reconciliations of this account.').optional(),
  state: state.optional(),
  ...pageQuery(),
})

const HIDDEN = 'null if the sum contains private transactions that you cannot see.'

const sum = (description: string) => money(`${description} It is ${HIDDEN}`).nullable()

const reconciliationFields = {
  id: id('rcn', 'Id of the reconciliation.'),
  accountId: id('acc', 'Account.'),
  state,
  statementDate: date('Last day of the statement.'),
  currency: currency('The currency of the account.'),
  openingBalance: money(
    'Closing balance of the previous finished reconciliation; zero if there is none.',
  ),
  closingBalance: money('Balance at the end of the statement.'),
  reconciledBalance: sum(
    'Current sum of the reconciled transactions of the account. For a finished reconciliation, the sum just before it was finished.',
  ),
  openingDifference: sum(
    '`reconciledBalance` less `openingBalance`: the effect of later changes of reconciled transactions.',
  ),
  clearedBalance: sum('Sum of `reconciledBalance` and the ticked transactions.'),
  difference: sum('`closingBalance` less `clearedBalance`.'),
  rows: z
    .object({
      ticked: integerField('Number of ticked transactions that you see.', 3),
      unticked: integerField(
        'Number of transactions through the statement date that can be ticked and are not; zero if the reconciliation is not open.',
        1,
      ),
    })
    .openapi({ description: 'Numbers of ticked and unticked transactions.' }),
  note: nullableText('Free text.'),
  attachmentId: nullableText('File of the statement.'),
  importId: nullableText('Import of the statement.'),
  finishedAt: instant('When it was finished.').nullable(),
  adjustmentId: nullableText('Transaction that booked the difference.'),
  createdBy: id('usr', 'Who started it.'),
  ...stamps,
}

const reconciledState = z.object({
  amount: money('Amount from the view of the account.'),
  date: date('Booking date.'),
  status: statusField,
})

const drift = {
  drift: z
    .array(
      z.object({
        id: id('txn', 'Transaction.'),
        was: reconciledState.openapi({
          description: 'State in which the transaction was reconciled.',
        }),
        now: reconciledState.nullable().openapi({
          description:
            'Current state of the transaction; null if it is not on the account any more.',
        }),
        at: instant('When it was last changed.'),
        actorId: nullableText('Who changed it; null if that is not known any more.'),
      }),
    )
    .openapi({
      description:
        'Transactions that were changed after they were reconciled, at most 500. An open reconciliation shows changes since the last finished one.',
    }),
  driftSum: sum('Effect of `drift` on the sum of reconciled transactions.'),
}

const summary = z.object(reconciliationFields)

/** A session as a single read answers it. */
export const fieldsOfReconciliation = { ...reconciliationFields, ...drift }

export const ReconciliationResponse = z
  .object(fieldsOfReconciliation)
  .openapi('ReconciliationResponse')

export const ReconciliationsResponse = pageResponse(
  'reconciliations',
  summary,
  'One page of reconciliations, the latest statement first.',
).openapi('ReconciliationsResponse')

export function presentSessionSummary(view: ReconciliationView): z.infer<typeof summary> {
  const formatted = (minor: bigint) =>
    view.isHidden === 1 ? null : formatMoney(minor, view.currency)
  const { opening, reconciled, openingDifference, cleared, difference } = numbersOf(view)
  return {
    id: view.id,
    accountId: view.accountId,
    state: view.state,
    statementDate: view.statementDate,
    currency: view.currency,
    openingBalance: formatMoney(opening, view.currency),
    closingBalance: formatMoney(view.closingMinor, view.currency),
    reconciledBalance: formatted(reconciled),
    openingDifference: formatted(openingDifference),
    clearedBalance: formatted(cleared),
    difference: formatted(difference),
    rows: { ticked: view.ticked, unticked: view.state === 'open' ? view.unticked : 0 },
    note: view.note,
    attachmentId: view.attachmentId,
    importId: view.importId,
    finishedAt: toInstantOrNull(view.finishedAt),
    adjustmentId: view.adjustmentId,
    createdBy: view.createdBy,
    ...presentStamps(view),
  }
}

const presentState = ({ amountMinor, ...rest }: Drift['was'], code: string) => ({
  amount: formatMoney(amountMinor, code),
  ...rest,
})

export function presentReconciliation({
  view,
  drift: rows,
}: Reconciliation): z.infer<typeof ReconciliationResponse> {
  const { currency: code } = view
  const moved = rows.reduce((total, { movedMinor }) => total + BigInt(movedMinor), 0n)
  return {
    ...presentSessionSummary(view),
    drift: rows.map(({ id: rowId, was, now, at, actorId }) => ({
      id: rowId,
      was: presentState(was, code),
      now: now && presentState(now, code),
      at: toInstant(at),
      actorId,
    })),
    driftSum: view.isHidden === 1 ? null : formatMoney(moved, code),
  }
}

/** A session that was just started: nothing has become of it. */
export const presentStartedSession = (view: ReconciliationView) =>
  presentReconciliation({ view, drift: [] })

export const presentReconciliations = presentPage('reconciliations', presentSessionSummary)
