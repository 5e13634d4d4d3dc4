import { dateInZone } from '../../../domain/calendar.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { type Results, nothing } from '../../../platform/database/statements.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { classOf } from '../../money/accounts/accounts.public.ts'
import {
  isAtLeast,
  type Membership,
  membershipIn,
} from '../../identity/memberships/memberships.public.ts'
import {
  type BudgetInput,
  checkedRule,
  columnsOfRule,
  optionsOf,
  requireFieldsOfMode,
  type RuleInput,
} from './budget-input.rules.ts'
import { budgetErrors } from './budgets.errors.ts'
import { budgetEvents, budgetLineEvents } from './budgets.events.ts'
import {
  accountsThatMayBeInside,
  insertBudget,
  mustBeForToken,
  mustBeInGroup,
  setDefaultPolicy,
} from './budgets.queries.ts'
import { ownerOf, requireFewPeriods, type BudgetRow, type StoredBudget } from './budgets.rules.ts'
import { categoriesForLines, incomeCategories } from './lines/lines.queries.ts'
import { newLine } from './lines/line-input.rules.ts'
import {
  lineContent,
  type LineRow,
  lineThing,
  type CategoryForLine,
  type FirstLines,
  firstLinesOf,
} from './lines/lines.rules.ts'
import { lineConflicts, insertLineWithAll } from './lines/lines.usecases.ts'

interface NewBudget extends BudgetInput {
  name: string
  mode: StoredBudget['mode']
  period: RuleInput
  groupId?: string | undefined
  lines?: FirstLines | undefined
}

export async function createBudget(ctx: SignedIn, wanted: NewBudget): Promise<BudgetRow> {
  const groupId = wanted.groupId ?? null
  const ownerId = groupId === null ? ctx.caller.userId : null
  const { accounts, accountIds } = optionsOf(wanted)
  const [[found], ...references] = await read(
    ctx,
    groupId === null ? nothing<Membership>() : membershipIn(ctx, groupId),
    ...referenceFinders(ctx, { ownerId, groupId, accounts, accountIds }, wanted, wanted),
  )
  const membership = groupId === null ? undefined : requireGroupToWrite(found)
  const profile = profileOf(ctx)
  requireFieldsOfMode(wanted.mode, wanted)
  const rule = checkedRule(wanted.period)
  const timeZone = wanted.timeZone ?? profile.timeZone
  const stored: StoredBudget = {
    id: freshId(ctx, 'bud'),
    ownerId,
    groupId,
    createdBy: ctx.caller.userId,
    name: wanted.name,
    nameKey: foldKey(wanted.name),
    mode: wanted.mode,
    currency: wanted.currency ?? profile.baseCurrency,
    ...columnsOfRule(rule, wanted.startsOn ?? dateInZone(ctx.now, timeZone)),
    timeZone,
    ...optionsOf(wanted),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    deletedAt: null,
  }
  requireFewPeriods(ctx, stored)
  const policy = wanted.policy ?? 'surplus'
  const budget: BudgetRow = {
    ...stored,
    policy,
    role: membership?.role ?? null,
    groupOwnerId: membership?.ownerId ?? null,
    baseCurrency: membership?.baseCurrency ?? profile.baseCurrency,
    isSuspended: 0,
    closedThrough: null,
    hasAmounts: 0,
    resting: '[]',
    unseen: '[]',
    isShared: 0,
  }
  const lines = startingLines(ctx, budget, requireReferences(wanted, references), wanted.lines)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...(groupId === null ? [] : [mustBeInGroup(ctx, groupId, 'member')]),
          ...insertBudget(stored),
          ...mustBeForToken(ctx, stored.id),
          setDefaultPolicy(stored.id, '', policy),
          ...lines.flatMap((line) => insertLineWithAll(budget, line)),
        ],
        events: [
          budgetEvents.created(
            { id: stored.id, version: 1, ...ownerOf(budget) },
            { after: { ...stored, policy } },
          ),
          ...lines.map((line) =>
            budgetLineEvents.created(lineThing(budget, line), {
              after: lineContent(line),
              budgetId: stored.id,
            }),
          ),
        ],
      },
    ],
    result: budget,
    conflicts: budgetConflicts,
  })
}

/** Refuses a group that the caller is not in, or whose budgets the caller cannot change. */
export function requireGroupToWrite(membership: Membership | undefined): Membership {
  if (!membership) {
    throw budgetErrors.unknownGroup({ field: 'groupId' })
  }
  if (membership.suspendedAt !== null) {
    throw budgetErrors.groupSuspended()
  }
  if (!isAtLeast(membership.role, 'member')) {
    throw budgetErrors.groupReadOnly()
  }
  return membership
}

/** The lines that a new budget begins with. In a limit budget, the category of a group would take the place of the limits below it in sums. */
function startingLines(
  ctx: SignedIn,
  budget: BudgetRow,
  categories: readonly CategoryForLine[],
  lines: FirstLines = 'none',
): LineRow[] {
  const ids = new Map<string, string>()
  return firstLinesOf(categories, lines).map(({ categoryId, name, below, isGroup }, order) => {
    const id = freshId(ctx, 'bln')
    ids.set(categoryId, id)
    const counted = isGroup && budget.mode === 'limit' ? [] : [categoryId]
    return newLine({ id, now: ctx.now }, budget, {
      ...{ name, scope: { kind: 'category', ids: counted }, order },
      parentLineId: below === null ? null : ids.get(below),
    })
  })
}

/**
 * Finds the accounts and categories that a request names, as far as the budget can name them, and the categories of its first lines.
 * @param shown categories that the budget named before
 */
export const referenceFinders = (
  ctx: SignedIn,
  budget: Pick<StoredBudget, 'ownerId' | 'groupId' | 'accounts' | 'accountIds'>,
  { accountIds = [], cards = [], incomeInNextPeriod = [] }: BudgetInput,
  { lines = 'none', shown = [] }: Pick<NewBudget, 'lines'> & { shown?: string[] },
) =>
  [
    accountsThatMayBeInside(
      ctx,
      [...accountIds, ...cards.map(({ accountId }) => accountId)],
      budget,
    ),
    incomeCategories(ctx, budget, incomeInNextPeriod, shown),
    categoriesForLines(ctx, lines),
  ] as const

/** Refuses accounts and categories that the budget cannot name; gives the categories that its first lines are made of. */
export function requireReferences(
  sent: BudgetInput,
  [accounts, categories, forLines]: Results<ReturnType<typeof referenceFinders>>,
): readonly CategoryForLine[] {
  const chosen = sent.accountIds ?? []
  const cards = (sent.cards ?? []).map(({ accountId }) => accountId)
  const income = sent.incomeInNextPeriod ?? []
  const unknownAt = (ids: string[], found: { id: string }[]) =>
    ids.findIndex((id) => !found.some((one) => one.id === id))
  const [account, card, category] = [
    unknownAt(chosen, accounts),
    unknownAt(cards, accounts),
    unknownAt(income, categories),
  ]
  if (account !== -1) {
    throw budgetErrors.unknownAccount({ field: `accountIds.${account}` })
  }
  if (card !== -1) {
    throw budgetErrors.unknownAccount({ field: `cards.${card}.accountId` })
  }
  const typeOf = new Map(accounts.map(({ id, type }) => [id, type]))
  const notACard = (sent.cards ?? []).findIndex(
    ({ accountId, handling }) =>
      handling === 'payment' && classOf(typeOf.get(accountId) ?? '') !== 'liability',
  )
  if (notACard !== -1) {
    throw budgetErrors.notACard({ field: `cards.${notACard}.handling` })
  }
  if (category !== -1) {
    throw budgetErrors.unknownIncomeCategory({ field: `incomeInNextPeriod.${category}` })
  }
  return forLines
}

export const budgetConflicts = {
  ...lineConflicts,
  'budgets.name_key': () => budgetErrors.nameTaken({ field: 'name' }),
}
