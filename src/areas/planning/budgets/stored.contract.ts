import { OUTSIDE } from '../../../domain/budgets/flows.ts'
import { MAX_MINOR } from '../../../domain/money.ts'
import {
  type Check,
  countOf,
  dateText,
  eachOnce,
  eitherOf,
  exactly,
  idText,
  mapOf,
  minorUnits,
  objectWith,
  orNull,
  textUpTo,
  wholeNumber,
} from '../../../domain/stored-values.ts'
import { takenAs, takenBy } from '../../../http/stored-fields.ts'
import { CreateBudgetRequest } from './budgets.contract.ts'
import { MOST_CARDS } from './budgets.rules.ts'
import { CreateBudgetLineRequest } from './lines/lines.contract.ts'
import { MOST_BUDGET_LINES } from './lines/lines.rules.ts'
import { MoveMoneyRequest } from './movements/movements.contract.ts'
import { UpdateBudgetPeriodRequest } from './periods/periods.contract.ts'
import { SetLineTargetRequest } from './targets/targets.contract.ts'
import { CreateBudgetTemplateRequest } from './templates/templates.contract.ts'

// The checks of stored columns of budgets: as the API takes them, and JSON as it is stored.

const { accountIds, cards, incomeInNextPeriod, period } = CreateBudgetRequest.shape

/** Archives of the second format have others than the API takes. */
const color = textUpTo(64)

export const budgetColumns: Record<string, Check> = {
  ...takenAs(CreateBudgetRequest, ['name', 'note', 'order', 'icon']),
  color,
  unitCount: takenBy(period.shape.count),
}

export const budgetJson: Record<string, Check> = {
  accountIds: takenBy(accountIds),
  cards: (value, row) =>
    mapOf(idText, exactly('payment', 'cash'), MOST_CARDS)(value, row) &&
    takenBy(cards)(
      Object.entries(value as object).map(([accountId, handling]) => ({ accountId, handling })),
      row,
    ),
  incomeInNextPeriod: takenBy(incomeInNextPeriod),
  thresholds: takenBy(CreateBudgetRequest.shape.thresholds),
}

const lineName = takenBy(CreateBudgetLineRequest.shape.name)

export const budgetLineColumns: Record<string, Check> = {
  ...takenAs(CreateBudgetLineRequest, ['note', 'order', 'icon']),
  // The line of a card is called as its account is.
  name: (value, row) => (value === '' ? row['account_id'] !== null : lineName(value, row)),
  color,
}

const { every, periods, priority, recurringIds } = SetLineTargetRequest.shape
const HUNDREDTHS_OF_ALL = 10_000

const ofEach = { priority: takenBy(priority), snoozedIn: orNull(dateText) }
const amountMinor = wholeNumber(1, MAX_MINOR)

export const lineJson: Record<string, Check> = {
  thresholds: takenBy(CreateBudgetLineRequest.shape.thresholds),
  target: eitherOf(
    objectWith({ ...ofEach, type: exactly('amount', 'refill', 'balance'), amountMinor }),
    objectWith({
      ...{ ...ofEach, type: exactly('byDate'), amountMinor },
      ...{ date: dateText, every: takenBy(every) },
    }),
    objectWith({
      ...{ ...ofEach, type: exactly('percentOfIncome') },
      hundredths: wholeNumber(1, HUNDREDTHS_OF_ALL),
    }),
    objectWith({
      ...{ ...ofEach, type: exactly('schedule') },
      recurringIds: (value, row) => value !== null && takenBy(recurringIds)(value, row),
    }),
    objectWith({
      ...{ ...ofEach, type: exactly('average') },
      periods: (value, row) => value !== null && takenBy(periods)(value, row),
    }),
  ),
}

export const changeColumns: Record<string, Check> = { capMinor: countOf }

export const periodColumns: Record<string, Check> = {
  ...takenAs(UpdateBudgetPeriodRequest, ['note']),
  heldMinor: countOf,
}

export const amountColumns: Record<string, Check> = takenAs(UpdateBudgetPeriodRequest, ['note'])

export const movementColumns: Record<string, Check> = {
  ...takenAs(MoveMoneyRequest, ['note']),
  amountMinor,
  toLineId: (value, row) => value !== row['from_line_id'],
}

/** Whole percents; 0 for overspent. */
export const alertColumns: Record<string, Check> = { threshold: wholeNumber(0, 500) }

export const templateColumns: Record<string, Check> = takenAs(CreateBudgetTemplateRequest, ['name'])

export const templateItems: Check = eachOnce(
  objectWith({ lineId: idText, amountMinor: minorUnits }),
  MOST_BUDGET_LINES,
  'lineId',
)

/** Fields with amounts. */
const amounts = (...names: string[]): Record<string, Check> =>
  Object.fromEntries(names.map((name) => [name, minorUnits]))

const outside = objectWith(amounts(...OUTSIDE))

/** The most sums: one of each line without a card, and one for each card. The line of an archive does not have room for more. */
const MOST_SUMS = MOST_BUDGET_LINES * (1 + MOST_CARDS)

const sums = mapOf(textUpTo(200), minorUnits, MOST_SUMS)

/** Figures of lines, each of which has them once. */
const ofLines = (figures: Record<string, Check>): Check =>
  eachOnce(objectWith(figures), MOST_BUDGET_LINES, 'lineId')

const envelopeRow = {
  lineId: idText,
  ...amounts('carriedIn', 'assigned', 'activity', 'lateActivity', 'available'),
  ...amounts('cashOverspent', 'creditOverspent'),
}

const pools = {
  ...amounts('fromBefore', 'opening', 'income', 'adjustments', 'released', 'exchangeDifference'),
  ...amounts('assigned', 'held', 'deferred', 'toBeBudgeted', 'overspent', 'latePool', 'pending'),
}

/** A closed period: of a budget with envelopes, or of one with limits. */
export const closing: Check = eitherOf(
  objectWith({
    figures: objectWith({
      ...{ ...pools, outside, lines: ofLines(envelopeRow) },
      payments: ofLines({ ...envelopeRow, ...amounts('moved', 'payments', 'owed', 'debt') }),
    }),
    sums,
    after: objectWith({
      ...{ carried: sums, late: sums },
      ...amounts('released', 'pool', 'worth', 'heldBefore'),
    }),
  }),
  objectWith({
    figures: objectWith({
      ...{ ...amounts('amount', 'spent', 'remaining', 'income', 'pending'), outside },
      lines: ofLines({
        lineId: idText,
        ...amounts('carriedIn', 'amount', 'total', 'spent', 'lateSpent', 'remaining'),
      }),
    }),
    sums,
    after: objectWith({ carried: sums, late: sums }),
  }),
)
