import { z } from '@hono/zod-openapi'
import { divideHalfEven, formatMoney } from '../../../domain/money.ts'
import { AMOUNTS_ARE } from '../../../domain/recurring/amounts.ts'
import { OCCURRENCE_STATUSES } from '../../../domain/recurring/status.ts'
import {
  booleanField,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  idInput,
  money,
  moneyInput,
  nameInput,
  nullableText,
  presentStamps,
  stamps,
  text,
  textField,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery, pageResponse } from '../../../http/pagination.ts'
import { undatedFields } from '../../money/transactions/transactions.public.ts'
import { undatedTransferFields } from '../../money/transfers/transfers.public.ts'
import { OccurrenceResponse, presentOccurrence } from './occurrences/occurrences.contract.ts'
import { nextOf, occurrencesLeft, perYearOf } from './occurrences/occurrences.rules.ts'
import type { RecurringItem } from './recurring.rules.ts'
import type { ListedItems } from './recurring.usecases.ts'
import { ScheduleField } from './schedules.contract.ts'
import type { ChangedItem } from './updating.usecases.ts'

export const PURPOSES = ['bill', 'subscription', 'income', 'other'] as const
export const MODES = ['post', 'ask', 'expect'] as const

const PERCENT = /^(?:[1-4]?[0-9](?:\.[0-9]{1,2})?|50(?:\.00?)?)$/

const single = {
  ...undatedFields,
  accountId: idInput(
    'acc',
    'Account of the transaction; null where any own account in the currency will do.',
  ).nullable(),
  currency: currencyInput('Currency, only where there is no account.').optional(),
}

export const RecurringTransactionField = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('expense'), ...single }),
    z.strictObject({ kind: z.literal('income'), ...single }),
    z.strictObject({ kind: z.literal('transfer'), ...undatedTransferFields }),
  ])
  .openapi('RecurringTransaction', {
    description:
      'The transaction without its date, as `POST /transaction` and `POST /transfer` take it by ids.',
  })

const days = (most: number, description: string, example: number) =>
  z.number().int().min(0).max(most).openapi({ description, example })

const fields = {
  name: nameInput(100, 'Name of the item; several may have the same.', 'Rent'),
  purpose: z.enum(PURPOSES).openapi({ description: 'Purpose, only a filter.', example: 'bill' }),
  mode: z.enum(MODES).openapi({
    description:
      '`post`: the service books it; `ask`: it waits for `POST /recurring/post`; `expect`: a transaction from elsewhere is linked to it.',
    example: 'post',
  }),
  schedule: ScheduleField.nullable().openapi({
    description: 'Days on which it comes again; null for a template, which is booked by hand.',
  }),
  transaction: RecurringTransactionField,
  amountIs: z.enum(AMOUNTS_ARE).openapi({ description: 'Amounts that fit.', example: 'exact' }),
  amountMax: moneyInput('Largest amount that fits; only with `between`.').nullable(),
  tolerancePercent: z
    .string()
    .regex(PERCENT, must('must be a percentage from 0.00 to 50.00', 'format').error)
    .openapi({ description: 'Tolerance of the amount; only with `about`.', example: '10.00' })
    .nullable(),
  dayWindow: days(15, 'Days around the date in which a transaction fits.', 3),
  leadDays: days(60, 'Days before the date on which it becomes due.', 0),
  graceDays: days(31, 'Days after the date before it is overdue.', 0),
  remindOn: dateInput('Day of one reminder, such as the last day to cancel.').nullable(),
  active: booleanField('Whether it can become due.', true),
  note: text(0, 2000, 'Free text.', 'Contract 4711').nullable(),
}

export const CreateRecurringRequest = z
  .strictObject({
    ...fields,
    purpose: fields.purpose.default('other'),
    amountIs: fields.amountIs.default('exact'),
    amountMax: fields.amountMax.default(null),
    tolerancePercent: fields.tolerancePercent.default(null),
    dayWindow: fields.dayWindow.default(3),
    leadDays: fields.leadDays.default(0),
    graceDays: fields.graceDays.default(0),
    remindOn: fields.remindOn.default(null),
    active: fields.active.default(true),
    note: fields.note.default(null),
    from: dateInput('First day that counts; today if left out.').optional(),
    transactionIds: z.array(idInput('txn', 'Id of a transaction.')).max(200).optional().openapi({
      description:
        'Transactions of occurrences in the past. Each is linked to the occurrence with the nearest nominal date.',
      example: [],
    }),
  })
  .openapi('CreateRecurringRequest')

export const UpdateRecurringRequest = z
  .strictObject({
    ...fields,
    from: dateInput(
      'Nominal date of the first occurrence that changes. The item ends before it, and a new item goes on.',
    ),
  })
  .partial()
  .openapi('UpdateRecurringRequest')

export const ListRecurringQuery = z.strictObject({
  ...pageQuery(),
  purpose: fields.purpose.optional(),
  accountId: idInput('acc', 'Only items with this account.').optional(),
  active: yesInQuery('Only active or only inactive items.', true).optional(),
  status: z
    .enum(OCCURRENCE_STATUSES)
    .optional()
    .openapi({ description: 'Only items whose next occurrence has this status.', example: 'due' }),
  totals: yesInQuery('Whether the sums of all items of the list are shown.', true).optional(),
})

const sum = z.object({
  perMonth: money('Sum of a month.'),
  perYear: money('Sum of the next 365 days.'),
})

const response = {
  id: id('rec', 'Id of the item.'),
  ...fields,
  name: textField('Name of the item.', 'Rent'),
  private: booleanField('Whether only its owner and its creator see it.', false),
  currency: currency('Currency of the amounts.'),
  from: date('First day that counts.'),
  next: OccurrenceResponse.nullable().openapi({
    description: 'Oldest occurrence that is not settled; null if there is none.',
  }),
  occurrencesLeft: z.number().int().nullable().openapi({
    description:
      'Number of occurrences from today on; null if the schedule does not end, or if there are more than 2,000.',
    example: null,
  }),
  perYear: money('Expected amount of the next 365 days.'),
  perMonth: money('A twelfth of `perYear`.'),
  previousId: nullableText('Item that this one goes on from.'),
  reason: z.enum(['inactive', 'accountGone']).nullable().openapi({
    description: 'Reason why it rests; null if it does not.',
    example: null,
  }),
  ...stamps,
}

export const RecurringResponse = z.object(response).openapi('RecurringResponse')

export const ChangedRecurringResponse = z
  .object({
    ...response,
    dropped: z.array(date('Nominal date.')).openapi({
      description: 'Nominal dates of single changes that the new schedule lacks.',
      example: [],
    }),
  })
  .openapi('ChangedRecurringResponse')

export const RecurringItemsResponse = pageResponse(
  'recurring',
  RecurringResponse,
  'One page of items, in the order of their creation.',
)
  .extend({
    totals: z
      .array(
        z.object({
          currency: currency(),
          in: sum.openapi({ description: 'What comes in.' }),
          out: sum.openapi({ description: 'What goes out.' }),
        }),
      )
      .optional()
      .openapi({ description: 'Sums of the active items by currency, without transfers.' }),
  })
  .openapi('RecurringItemsResponse')

const presentSum = (perYear: bigint, code: string) => ({
  perYear: formatMoney(perYear, code),
  // A twelfth, half to even.
  perMonth: formatMoney(divideHalfEven(perYear, 12n), code),
})

export function presentRecurring(item: RecurringItem): z.infer<typeof RecurringResponse> {
  const { currency: code, amountIs, amountMaxMinor, tolerance } = item
  const next = nextOf(item)
  return {
    ...{ id: item.id, name: item.name, purpose: item.purpose, mode: item.mode },
    ...{ schedule: item.schedule, transaction: item.transaction, amountIs },
    amountMax: amountMaxMinor === null ? null : formatMoney(amountMaxMinor, code),
    tolerancePercent: amountIs === 'about' ? (tolerance / 100).toFixed(2) : null,
    ...{ dayWindow: item.dayWindow, leadDays: item.leadDays, graceDays: item.graceDays },
    ...{ remindOn: item.remindOn, active: item.active, note: item.note },
    ...{ private: item.private, currency: code, from: item.firstDay },
    next: next && presentOccurrence(next),
    occurrencesLeft: occurrencesLeft(item),
    ...presentSum(perYearOf(item), code),
    previousId: item.previousId,
    reason: item.goneAccounts > 0 ? 'accountGone' : item.active ? null : 'inactive',
    ...presentStamps(item),
  }
}

export const presentRecurringItems = ({
  rows,
  count,
  nextCursor,
  totals,
}: Listed<RecurringItem> & Pick<ListedItems, 'totals'>): z.infer<
  typeof RecurringItemsResponse
> => ({
  recurring: rows.map(presentRecurring),
  count,
  totals: totals?.map(({ currency: code, in: income, out }) => ({
    currency: code,
    in: presentSum(income, code),
    out: presentSum(out, code),
  })),
  nextCursor,
})

export const presentChanged = (item: ChangedItem): z.infer<typeof ChangedRecurringResponse> => ({
  ...presentRecurring(item),
  dropped: item.dropped,
})
