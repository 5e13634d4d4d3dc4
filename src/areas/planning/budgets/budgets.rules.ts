import { type CalendarDate, dateInZone, isCalendarDate } from '../../../domain/calendar.ts'
import {
  lastIndexOf,
  type Period,
  periodAt,
  periodIndexOf,
  periodNamed,
  type PeriodRule,
} from '../../../domain/budgets/periods.ts'
import type { CarryPolicy } from '../../../domain/budgets/policies.ts'
import { owns } from '../../identity/access/access.public.ts'
import { budgetErrors } from './budgets.errors.ts'
import { type GroupRole, isAtLeast } from '../../identity/memberships/memberships.public.ts'

/** A budget as it is stored. */
export interface StoredBudget {
  id: string
  /** Null for a budget of a group. */
  ownerId: string | null
  groupId: string | null
  createdBy: string
  name: string
  nameKey: string
  mode: 'envelope' | 'limit'
  currency: string
  unit: PeriodRule['unit']
  unitCount: number
  anchor: CalendarDate
  weekend: PeriodRule['weekend']
  /** Nominal start of the first period, and its first day. */
  firstPeriod: CalendarDate
  firstDay: CalendarDate
  startsOn: CalendarDate
  timeZone: string
  accounts: 'onBudget' | 'chosen'
  /** JSON: see `parsedList` and `cardsOf`. */
  accountIds: string
  cards: string
  strict: boolean
  countPending: boolean
  countTransfers: boolean
  incomeInNextPeriod: string
  thresholds: string
  note: string | null
  archived: boolean
  order: number
  color: string | null
  icon: string | null
  version: number
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}

/** A budget as the caller sees it. */
export interface BudgetRow extends StoredBudget {
  /** The policy of lines without one of their own. */
  policy: CarryPolicy
  /** The caller's role in its group; of a budget that a person shares, the role with the same rights. */
  role: GroupRole | null
  groupOwnerId: string | null
  /** The base currency of its owner or group, which connects two rates. */
  baseCurrency: string
  isSuspended: number
  /** The newest closed period; null where none is closed. */
  closedThrough: CalendarDate | null
  /** 1 if any amount was set, so that the currency and the periods are fixed. */
  hasAmounts: number
  /** JSON list of accounts and income categories that it names but cannot have now. Nobody sees them. */
  resting: string
  /** 1 if it has a share with a person, accepted or not: private transactions count on no line then. */
  isShared: number
  /** JSON list of accounts that may be inside but that the caller, whom a person shares the budget with, does not see. */
  unseen: string
}

/** The user who acts. */
interface Actor {
  caller: { userId: string }
}

/** The maximum number of accounts whose handling as cards is chosen. */
export const MOST_CARDS = 50

/** The maximum number of periods from the first one to the last one that is shown. */
export const MOST_PERIODS = 600

/**
 * Refuses a budget with more periods up to the current one than it could show: each read works them out. Of one that was created
 * before, the period of its creation counts in place of the current one, as it has got more since.
 */
export function requireFewPeriods(ctx: { now: number }, budget: StoredBudget): void {
  if (currentPeriod(ctx, budget).index - firstIndexOf(budget) >= MOST_PERIODS) {
    throw budgetErrors.tooMany({
      what: `A budget can begin at most ${MOST_PERIODS} periods before the current one. Choose a later start or longer periods`,
    })
  }
}

export function existingBudget(budget: BudgetRow | undefined): BudgetRow {
  if (!budget) {
    throw budgetErrors.notFound()
  }
  return budget
}

export const ruleOf = ({ unit, unitCount, anchor, weekend }: RuleColumns): PeriodRule => ({
  unit,
  count: unitCount,
  anchor,
  weekend,
})

/** Returns the permission of the caller on a budget. */
export function permissionOf(ctx: Actor, budget: BudgetRow): 'view' | 'write' | 'manage' | 'owner' {
  if (owns(ctx.caller, budget)) {
    return 'owner'
  }
  if (budget.role === null || budget.isSuspended === 1 || !isAtLeast(budget.role, 'member')) {
    return 'view'
  }
  return isAtLeast(budget.role, 'admin') || budget.createdBy === ctx.caller.userId
    ? 'manage'
    : 'write'
}

/** Refuses who may only look at the budget. */
export function requireWrite(ctx: Actor, budget: BudgetRow): void {
  if (budget.isSuspended === 1) {
    throw budgetErrors.groupSuspended()
  }
  if (permissionOf(ctx, budget) === 'view') {
    throw budgetErrors.groupReadOnly()
  }
}

/** Refuses who may not close the periods of the budget. */
export function requireManage(ctx: Actor, budget: BudgetRow): void {
  requireWrite(ctx, budget)
  if (permissionOf(ctx, budget) === 'write') {
    throw budgetErrors.mayNotManage()
  }
}

/** Refuses whoever receives the budget of another person. */
export function requireOwnerOrGroup(ctx: Actor, budget: BudgetRow): void {
  if (budget.groupId === null && !owns(ctx.caller, budget)) {
    throw budgetErrors.mayNotManage()
  }
}

/** The role that a commit asserts again for a change that `requireManage` allowed: who made the budget needs no more than a member. */
export const managingRole = (ctx: Actor, { createdBy }: StoredBudget): 'admin' | 'member' =>
  createdBy === ctx.caller.userId ? 'member' : 'admin'

/** The day that it is where the budget is. */
export const todayIn = (
  ctx: { now: number },
  { timeZone }: Pick<StoredBudget, 'timeZone'>,
): CalendarDate => dateInZone(ctx.now, timeZone)

type RuleColumns = Pick<StoredBudget, 'unit' | 'unitCount' | 'anchor' | 'weekend'>

export const firstIndexOf = (budget: RuleColumns & Pick<StoredBudget, 'firstDay'>): number =>
  periodIndexOf(ruleOf(budget), budget.firstDay)

/** The period of today; of a budget that begins later, its first one. */
export function currentPeriod(ctx: { now: number }, budget: StoredBudget): Period {
  const rule = ruleOf(budget)
  const today = todayIn(ctx, budget)
  return periodAt(rule, Math.max(periodIndexOf(rule, today), firstIndexOf(budget)))
}

/**
 * The period that a path names, or a field of a body: by its nominal start, or `current`.
 * @throws budgets.noSuchPeriod, budgets.unknownPeriod
 */
export function requirePeriod(
  ctx: { now: number },
  budget: StoredBudget,
  named: string,
  field?: string,
): Period {
  if (named === 'current') {
    return currentPeriod(ctx, budget)
  }
  const period = periodOfBudget(ctx, budget, named)
  if (!period) {
    throw periodError(field)
  }
  return period
}

/** The period of a budget with this nominal start, if there is one. */
export function periodOfBudget(
  ctx: { now: number },
  budget: StoredBudget,
  nominal: string,
): Period | undefined {
  const rule = ruleOf(budget)
  const last = periodAt(rule, lastShownIndex(ctx, budget))
  const period =
    isCalendarDate(nominal) && nominal <= last.nominal ? periodNamed(rule, nominal) : undefined
  return period && period.index >= firstIndexOf(budget) ? period : undefined
}

/** The error about a period that is not there. @param field of the body that names it, if the path or query does not */
export const periodError = (field?: string): Error =>
  field === undefined ? budgetErrors.noSuchPeriod() : budgetErrors.unknownPeriod({ field })

/** Refuses a period before the first one, or after the last one that a budget shows. */
export function requireShown(ctx: { now: number }, budget: StoredBudget, index: number): void {
  if (index < firstIndexOf(budget) || index > lastShownIndex(ctx, budget)) {
    throw periodError()
  }
}

/**
 * Returns the index of the last period that is shown. It is bounded, because a read without a checkpoint calculates all
 * periods, but it is never before the current one. None ends beyond the calendar.
 */
export const lastShownIndex = (ctx: { now: number }, budget: StoredBudget): number =>
  Math.max(
    Math.min(firstIndexOf(budget) + MOST_PERIODS - 1, lastIndexOf(ruleOf(budget))),
    currentPeriod(ctx, budget).index,
  )

/** Index of the first period that is not closed. */
export function firstOpenIndex(budget: BudgetRow): number {
  const closed =
    budget.closedThrough === null ? undefined : periodNamed(ruleOf(budget), budget.closedThrough)
  return closed ? closed.index + 1 : firstIndexOf(budget)
}

/** The error about something that only budgets of the other mode have. */
export const modeError = (
  { mode }: Pick<StoredBudget, 'mode'>,
  feature: string,
  field?: string,
): Error =>
  budgetErrors.wrongMode(
    { what: feature, mode, other: mode === 'limit' ? 'envelope' : 'limit' },
    field === undefined ? {} : { field },
  )

/** Refuses a period that is closed. */
export function requireOpenPeriod(budget: BudgetRow, period: Period, field?: string): void {
  if (period.index < firstOpenIndex(budget)) {
    throw budgetErrors.periodClosed(field === undefined ? {} : { field })
  }
}

/** Nominal start of the period from which a change of lines holds, where the request names none: the current one, or the first open one. */
export function changesFrom(ctx: { now: number }, budget: BudgetRow): string {
  const index = Math.max(currentPeriod(ctx, budget).index, firstOpenIndex(budget))
  return periodAt(ruleOf(budget), index).nominal
}

/** Nominal start of the period from which a new line holds; empty for the beginning. */
export const newLinesFrom = (budget: BudgetRow): string =>
  budget.closedThrough === null ? '' : periodAt(ruleOf(budget), firstOpenIndex(budget)).nominal

/** The handling of cards by account, if it differs from the default of the account type. */
export type Cards = Record<string, 'payment' | 'cash'>

export const cardsOf = ({ cards }: StoredBudget): Cards => JSON.parse(cards) as Cards

export const parsedList = <Item>(json: string): Item[] => JSON.parse(json) as Item[]

/** An account inside of a budget. */
export interface Inside {
  id: string
  name: string
  type: string
  currency: string
  ownerId: string
}

/** The accounts that are handled as credit cards: they have payment lines. */
export function paymentCards(budget: StoredBudget, inside: readonly Inside[]): Inside[] {
  const handling = cardsOf(budget)
  return budget.mode === 'limit'
    ? []
    : inside.filter(
        ({ id, type }) =>
          (handling[id] ?? (type === 'creditCard' ? 'payment' : 'cash')) === 'payment',
      )
}

/** Returns the owner of a budget's events in the log, and the group that sees them. */
export const ownerOf = ({
  ownerId,
  groupId,
  groupOwnerId,
}: BudgetRow): Pick<StoredBudget, 'ownerId' | 'groupId'> => ({
  ownerId: ownerId ?? groupOwnerId,
  groupId,
})
