import {
  checkPeriodRule,
  type Period,
  periodOf,
  type PeriodRule,
} from '../../../domain/budgets/periods.ts'
import { addDays } from '../../../domain/calendar.ts'
import type { CarryPolicy } from '../../../domain/budgets/policies.ts'
import { AppError } from '../../../domain/errors.ts'
import { budgetErrors } from './budgets.errors.ts'
import {
  type Cards,
  modeError,
  ruleOf,
  type BudgetRow,
  type StoredBudget,
} from './budgets.rules.ts'

// Checks the fields of a budget in a request, and turns them into the columns of its row.

export interface RuleInput {
  unit: PeriodRule['unit']
  count: number
  anchor: string
  weekend?: PeriodRule['weekend'] | undefined
}

/** Absent means left alone; null clears. */
export interface BudgetInput {
  name?: string | undefined
  mode?: StoredBudget['mode'] | undefined
  currency?: string | undefined
  period?: RuleInput | undefined
  startsOn?: string | undefined
  timeZone?: string | undefined
  accounts?: StoredBudget['accounts'] | undefined
  accountIds?: string[] | undefined
  cards?: { accountId: string; handling: Cards[string] }[] | undefined
  policy?: CarryPolicy | undefined
  strict?: boolean | undefined
  countPending?: boolean | undefined
  countTransfers?: boolean | undefined
  incomeInNextPeriod?: string[] | undefined
  thresholds?: number[] | undefined
  note?: string | null | undefined
  order?: number | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
  archived?: boolean | undefined
}

/** @throws budgets.invalidPeriod */
export const checkedRule = ({ unit, count, anchor, weekend = 'keep' }: RuleInput): PeriodRule => {
  const rule = { unit, count, anchor, weekend }
  checkPeriodRule(rule)
  return rule
}

/** The columns of a rule, and of the first period, which contains a day. */
export function columnsOfRule(
  rule: PeriodRule,
  startsOn: string,
): Pick<
  StoredBudget,
  'unit' | 'unitCount' | 'anchor' | 'weekend' | 'startsOn' | 'firstPeriod' | 'firstDay'
> {
  const first = firstPeriodOf(rule, startsOn)
  return {
    unit: rule.unit,
    unitCount: rule.count,
    anchor: rule.anchor,
    weekend: rule.weekend,
    startsOn,
    firstPeriod: first.nominal,
    firstDay: first.start,
  }
}

function firstPeriodOf(rule: PeriodRule, startsOn: string): Period {
  try {
    const first = periodOf(rule, startsOn)
    // The balances of accounts on the day before are the opening, so that day must be in the calendar.
    addDays(first.start, -1)
    return first
  } catch (error) {
    if (error instanceof AppError && error.code === 'calendar.outOfRange') {
      throw budgetErrors.invalidStart({ field: 'startsOn', cause: error })
    }
    throw error
  }
}

/** Refuses what the mode has no use for. */
export function requireFieldsOfMode(mode: StoredBudget['mode'], sent: BudgetInput): void {
  const wrong =
    mode === 'limit'
      ? (['cards', 'strict', 'incomeInNextPeriod'] as const)
      : (['countTransfers'] as const)
  for (const field of wrong) {
    const value = sent[field]
    if (value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)) {
      throw modeError({ mode }, `\`${field}\``, field)
    }
  }
}

type Options = Pick<
  StoredBudget,
  | 'accounts'
  | 'accountIds'
  | 'cards'
  | 'strict'
  | 'countPending'
  | 'countTransfers'
  | 'incomeInNextPeriod'
  | 'thresholds'
  | 'note'
  | 'order'
  | 'color'
  | 'icon'
  | 'archived'
>

/** The options of a request, over those that there were. */
export function optionsOf(sent: BudgetInput, before?: StoredBudget): Options {
  const kept = <Value>(value: Value | undefined, was: Value | undefined, fallback: Value): Value =>
    value === undefined ? (was === undefined ? fallback : was) : value
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  const cards =
    sent.cards &&
    Object.fromEntries(sent.cards.map(({ accountId, handling }) => [accountId, handling]))
  return {
    accounts: kept(sent.accounts, before?.accounts, 'onBudget'),
    accountIds: kept(json(sent.accountIds), before?.accountIds, '[]'),
    cards: kept(json(cards), before?.cards, '{}'),
    strict: kept(sent.strict, before?.strict, false),
    countPending: kept(sent.countPending, before?.countPending, true),
    countTransfers: kept(sent.countTransfers, before?.countTransfers, false),
    incomeInNextPeriod: kept(json(sent.incomeInNextPeriod), before?.incomeInNextPeriod, '[]'),
    thresholds: kept(json(sent.thresholds), before?.thresholds, '[]'),
    note: kept(sent.note, before?.note, null),
    order: kept(sent.order, before?.order, 0),
    color: kept(sent.color, before?.color, null),
    icon: kept(sent.icon, before?.icon, null),
    archived: kept(sent.archived, before?.archived, false),
  }
}

/** A budget as it is stored, with its default policy. */
export const storedOf = ({
  role: _r,
  groupOwnerId: _g,
  isSuspended: _s,
  baseCurrency: _b,
  closedThrough: _c,
  hasAmounts: _a,
  resting: _w,
  unseen: _u,
  isShared: _i,
  ...stored
}: BudgetRow): StoredBudget & { policy: CarryPolicy } => stored

/** Refuses a change of what is fixed: the mode always, the currency once there are amounts, the names of periods too, and their days once one is closed. */
export function requireNotFixed(before: BudgetRow, sent: BudgetInput, rule: PeriodRule): void {
  const fixed = (field: string, fixedThing: string, why: string) =>
    budgetErrors.fixed({ what: fixedThing, why }, { field })
  if (sent.mode !== undefined && sent.mode !== before.mode) {
    throw fixed('mode', 'The mode', 'it is chosen once, so create another budget')
  }
  if (sent.currency !== undefined && sent.currency !== before.currency && before.hasAmounts === 1) {
    throw fixed('currency', 'The currency', 'amounts are set in it, so create another budget')
  }
  const now = ruleOf(before)
  const changesNames = JSON.stringify({ ...rule, weekend: now.weekend }) !== JSON.stringify(now)
  const isFixed = before.closedThrough !== null || (before.hasAmounts === 1 && changesNames)
  if (isFixed && (changesNames || rule.weekend !== now.weekend)) {
    throw fixed('period', 'The period', 'amounts are set, or periods are closed')
  }
  if (
    sent.startsOn !== undefined &&
    sent.startsOn !== before.startsOn &&
    before.closedThrough !== null
  ) {
    throw fixed('startsOn', 'The start', 'a period is closed, so reopen it first')
  }
}
