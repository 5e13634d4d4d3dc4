import type { InsideAccount } from '../../../../domain/budgets/flows.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import type { SignedIn, Context } from '../../../../platform/context.ts'
import {
  read,
  commit,
  commitAndRead,
  requireVersion,
} from '../../../../platform/database/database.ts'
import { addDays, type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import type { DomainEvent } from '../../../../platform/log/events.ts'
import type { LoggedEvent } from '../../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../../platform/work/readers.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { membershipIn } from '../../../identity/memberships/memberships.public.ts'
import {
  budgetById,
  mustBeInGroup,
  mustChange,
  mustHaveRoomForBudget,
  updateBudgetRow,
} from '../budgets.queries.ts'
import {
  existingBudget,
  paymentCards,
  requirePeriod,
  ruleOf,
  type BudgetRow,
  managingRole,
  ownerOf,
  requireManage,
  requireOwnerOrGroup,
  type StoredBudget,
} from '../budgets.rules.ts'
import {
  accountsOfOneBudget,
  askedOf,
  categoriesOf,
  ratesFor,
  scopesOf,
} from '../figures/figures.queries.ts'
import { coverages, linesIn, ratesOn } from '../figures/figures.rules.ts'
import { dayOfPeriod, withinRange } from '../figures/figures.usecases.ts'
import { linesOfBudget, unpackLine } from '../lines/lines.queries.ts'
import { budgetEvents } from '../budgets.events.ts'
import { storedOf } from '../budget-input.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { requireGroupToWrite } from '../creation.usecases.ts'
import {
  recordedFlows,
  budgetsLeftBy,
  budgetsLeftOn,
  type LeftBudget,
  markReceiversOn,
  deleteAlerts,
  mustBeUnshared,
  mustHideNothing,
} from './members.queries.ts'
import { countRecorded, type MemberSpending, spendingOfMembers } from './members.rules.ts'

/** The spending that each user recorded on the lines of a period. */
export interface SpendingByMember {
  budget: BudgetRow
  period: Period
  members: MemberSpending[]
}

export async function getBudgetByMember(
  ctx: SignedIn,
  id: string,
  named: string,
): Promise<SpendingByMember> {
  const day = dayOfPeriod(ctx, named)
  const asked = askedOf(ctx, id, { from: day, to: day })
  const [[found], stored, scopes, categories, accounts, rates, flows] = await read(
    ctx,
    budgetById(ctx, id),
    linesOfBudget(asked),
    scopesOf(asked),
    categoriesOf(asked),
    accountsOfOneBudget(asked),
    ratesFor(asked),
    recordedFlows(asked),
  )
  const budget = existingBudget(found)
  const period = requirePeriod(ctx, budget, named)
  const rule = ruleOf(budget)
  const lines = stored.map(unpackLine)
  const cards = new Set(paymentCards(budget, accounts).map((card) => card.id))
  const rules = {
    accounts: new Map<string, InsideAccount>(
      accounts.map((one) => [one.id, { ...one, isCard: cards.has(one.id) }]),
    ),
    coverageIn: coverages({ lines, scopes, categories }, (index) => periodAt(rule, index).nominal),
    periodOf: (date: string) => periodIndexOf(rule, date),
    countPending: budget.countPending,
  }
  const lineIds = linesIn(lines, period.nominal)
    .filter(({ scopeKind }) => scopeKind === 'category')
    .map((line) => line.id)
  const names = new Map(flows.map(({ createdBy, name }) => [createdBy, name]))
  return withinRange(() => {
    const recorded = countRecorded(flows, { budget, period: period.index, rules }).filter(
      ({ key }) => lineIds.some((lineId) => key.includes(lineId)),
    )
    const rateOn = ratesOn(
      { budget, rates },
      recorded.map((one) => one.day),
    )
    return {
      budget,
      period,
      members: spendingOfMembers(recorded, names, { lineIds, budget, rateOn }),
    }
  })
}

/**
 * Returns the event about an account that left a budget. The account is only its owner's business again, so the event
 * does not name it.
 */
const departureEvent = ({ id, groupId, ownerId }: LeftBudget): DomainEvent =>
  budgetEvents.accountLeft({ id, groupId, ownerId })

/** Tells groups that an account left their budgets as it is not shared with them any more. */
export async function tellDepartures(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const departures = events.flatMap(({ accountId, groupId }) =>
    accountId === null || groupId === null ? [] : [{ accountId, groupId }],
  )
  const [left] = await read(ctx, budgetsLeftBy(ctx.now, departures))
  return { changes: [{ statements: [], events: left.map(departureEvent) }] }
}

export const TELL_EXPIRED = 'budgets.tellExpired'

/**
 * Tells groups, every night, that accounts left their budgets as their shares expired on the day before. Nothing else marks the
 * budgets that these accounts were in.
 */
export async function tellExpired(
  ctx: Context,
  { day = dateInZone(ctx.now, 'UTC') }: { day?: CalendarDate | undefined },
  finish: Statement[],
): Promise<void> {
  const yesterday = addDays(day, -1)
  const [left] = await read(ctx, budgetsLeftOn(ctx.now, yesterday))
  await commit(ctx, {
    changes: [
      { statements: [...finish, markReceiversOn(yesterday)], events: left.map(departureEvent) },
    ],
    result: undefined,
  })
}

/** Gives a budget to a group of the caller, instead of its owner or another group. */
export async function shareBudgetToGroup(
  ctx: SignedIn,
  id: string,
  groupId: string,
): Promise<BudgetRow> {
  const [[found], [membership]] = await read(ctx, budgetById(ctx, id), membershipIn(ctx, groupId))
  const before = existingBudget(found)
  requireManage(ctx, before)
  requireOwnerOrGroup(ctx, before)
  const { ownerId } = requireGroupToWrite(membership)
  requireVersion(ctx, before.version)
  if (before.groupId === groupId) {
    return before
  }
  const place = { ownerId: null, groupId }
  const after = storedOf({ ...before, ...place })
  return handOver(ctx, before, place, {
    premises: [
      mustBeInGroup(ctx, groupId, 'member'),
      mustBeUnshared(id),
      ...(before.groupId === null ? [mustHideNothing(id), deleteAlerts(id)] : []),
    ],
    events: [
      ...(before.groupId === null ? [] : [taken(before, place)]),
      budgetEvents.sharedWithGroup(
        { id, version: before.version + 1, ownerId, groupId },
        { before: storedOf(before), after },
      ),
    ],
  })
}

/** Takes a budget of a group: the caller owns it from then on. */
export async function unshareBudgetFromGroup(ctx: SignedIn, id: string): Promise<BudgetRow> {
  const [[found]] = await read(ctx, budgetById(ctx, id))
  const before = existingBudget(found)
  requireManage(ctx, before)
  requireOwnerOrGroup(ctx, before)
  requireVersion(ctx, before.version)
  if (before.groupId === null) {
    throw budgetErrors.notInGroup()
  }
  const place = { ownerId: ctx.caller.userId, groupId: null }
  return handOver(ctx, before, place, { premises: [], events: [taken(before, place)] })
}

/** The owner of a budget: a person or a group. */
type Place = Pick<StoredBudget, 'ownerId' | 'groupId'>

/** Tells the group that a budget was taken from it. */
const taken = (before: BudgetRow, place: Place): DomainEvent =>
  budgetEvents.unsharedFromGroup(
    { id: before.id, version: before.version + 1, ...ownerOf(before) },
    { before: storedOf(before), after: storedOf({ ...before, ...place }) },
  )

async function handOver(
  ctx: SignedIn,
  before: BudgetRow,
  place: Place,
  { premises, events }: { premises: Statement[]; events: DomainEvent[] },
): Promise<BudgetRow> {
  const [after] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: [
            ...mustChange(ctx, before, managingRole(ctx, before)),
            ...premises,
            mustHaveRoomForBudget(place),
            ...updateBudgetRow(ctx, before, place),
          ],
          events,
        },
      ],
      conflicts: { 'budgets.name_key': budgetErrors.nameTaken },
    },
    budgetById(ctx, before.id),
  )
  return existingBudget(after)
}
