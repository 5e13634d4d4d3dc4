import {
  lastIndexOf,
  type Period,
  periodIndexOf,
  periodsBetween,
  checkPeriodRule,
  periodNamed,
} from '../../../domain/budgets/periods.ts'
import { dateInZone } from '../../../domain/calendar.ts'
import { foldKey } from '../../../domain/text.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { checkAccess, commit, read, requireVersion } from '../../../platform/database/database.ts'
import {
  cutPage,
  type Page,
  type PageRequest,
  type Position,
} from '../../../platform/database/paging.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  type BudgetInput,
  checkedRule,
  columnsOfRule,
  optionsOf,
  requireFieldsOfMode,
  requireNotFixed,
  type RuleInput,
  storedOf,
} from './budget-input.rules.ts'
import { budgetEvents, budgetLineEvents } from './budgets.events.ts'
import {
  budgetById,
  type BudgetFilter,
  countOfBudgets,
  mustBeFixedAsBefore,
  mustBeForToken,
  mustChange,
  pageOfBudgets,
  setDefaultPolicy,
  updateBudgetRow,
} from './budgets.queries.ts'
import {
  changesFrom,
  existingBudget,
  parsedList,
  ownerOf,
  requireFewPeriods,
  requireOwnerOrGroup,
  requireWrite,
  ruleOf,
  type BudgetRow,
  currentPeriod,
  MOST_PERIODS,
} from './budgets.rules.ts'
import { budgetConflicts, referenceFinders, requireReferences } from './creation.usecases.ts'
import { budgetErrors } from './budgets.errors.ts'
import { requireFewSteps, walkOf } from './figures/figures.rules.ts'
import { figuresWithinRange, readFacts } from './figures/figures.usecases.ts'
import { ensureLine, mustBeNested, setLineOrder, setParents } from './lines/lines.queries.ts'
import { namedLine, parentsOf, requireLineParent } from './lines/lines.rules.ts'
import { type ListedLines, readLines } from './lines/lines.usecases.ts'

export { createBudget } from './creation.usecases.ts'

export async function listBudgets(
  ctx: SignedIn,
  filter: BudgetFilter,
  page: PageRequest,
): Promise<Page<BudgetRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfBudgets(ctx, filter, page),
    countOfBudgets(ctx, filter),
  )
  return { ...cutBudgets(found, page), count: total?.count ?? 0 }
}

/** The budgets of a page. */
export const cutBudgets = (found: BudgetRow[], page: PageRequest) =>
  cutPage(found, page, ({ order, id }) => [String(order), id])

export async function getBudget(ctx: SignedIn, id: string): Promise<BudgetRow> {
  const [[budget]] = await read(ctx, budgetById(ctx, id))
  return existingBudget(budget)
}

/** The first periods of a rule, from the one that contains a day: as many as the calendar has, if these are fewer. */
export async function previewBudgetPeriods(
  ctx: SignedIn,
  {
    period,
    startsOn,
    count = 12,
  }: { period: RuleInput; startsOn?: string | undefined; count?: number | undefined },
): Promise<Period[]> {
  await checkAccess(ctx)
  const rule = checkedRule(period)
  const { firstDay } = columnsOfRule(rule, startsOn ?? dateInZone(ctx.now, profileOf(ctx).timeZone))
  const first = periodIndexOf(rule, firstDay)
  return periodsBetween(rule, first, Math.min(first + count - 1, lastIndexOf(rule)))
}

export async function updateBudget(
  ctx: SignedIn,
  id: string,
  sent: BudgetInput,
): Promise<BudgetRow> {
  const before = await getBudget(ctx, id)
  requireWrite(ctx, before)
  if (sent.accounts ?? sent.accountIds ?? sent.cards) {
    // A manager of somebody else's budget would see figures of other accounts, too.
    requireOwnerOrGroup(ctx, before)
  }
  requireVersion(ctx, before.version)
  requireFieldsOfMode(before.mode, sent)
  const rule = sent.period ? checkedRule(sent.period) : ruleOf(before)
  requireNotFixed(before, sent, rule)
  const changed = {
    name: sent.name ?? before.name,
    nameKey: foldKey(sent.name ?? before.name),
    currency: sent.currency ?? before.currency,
    ...columnsOfRule(rule, sent.startsOn ?? before.startsOn),
    timeZone: sent.timeZone ?? before.timeZone,
    ...optionsOf(sent, before),
  }
  const policy = sent.policy ?? before.policy
  const after: BudgetRow = {
    ...before,
    ...changed,
    policy,
    version: before.version + 1,
    updatedAt: ctx.now,
  }
  if ((['firstDay', 'unit', 'unitCount'] as const).some((one) => after[one] !== before[one])) {
    requireFewPeriods(ctx, after)
  }
  if (sent.accountIds ?? sent.cards ?? sent.incomeInNextPeriod) {
    const shown = parsedList<string>(before.incomeInNextPeriod)
    requireReferences(sent, await read(ctx, ...referenceFinders(ctx, after, sent, { shown })))
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, before),
          ...((sent.currency ?? sent.period ?? sent.startsOn) ? [mustBeFixedAsBefore(before)] : []),
          ...updateBudgetRow(ctx, before, changed),
          ...((sent.accounts ?? sent.accountIds) ? mustBeForToken(ctx, id) : []),
          ...(policy === before.policy
            ? []
            : [setDefaultPolicy(id, changesFrom(ctx, after), policy)]),
        ],
        events: [
          budgetEvents.updated(
            { id, version: after.version, ...ownerOf(before) },
            { before: storedOf(before), after: storedOf(after) },
          ),
        ],
      },
    ],
    result: after,
    conflicts: budgetConflicts,
  })
}

/** Budgets of one page. */
const PAGE = 100

/**
 * Works out the budgets of a person once they are restored, as no list of a backup does.
 * @throws AppError for a period that no budget could have: every read of the budget would fail, or take very long
 */
export async function readRestoredBudgets(owner: SignedIn): Promise<void> {
  let after: Position | undefined
  do {
    const { rows, next } = await listBudgets(owner, {}, { limit: PAGE, after })
    for (const budget of rows.filter(({ ownerId }) => owns(owner.caller, { ownerId }))) {
      await workOut(owner, budget)
    }
    after = next ?? undefined
  } while (after)
}

async function workOut(owner: SignedIn, budget: BudgetRow): Promise<void> {
  const rule = ruleOf(budget)
  checkPeriodRule(rule)
  requireFewPeriods({ now: budget.createdAt }, budget)
  const { start, index } = currentPeriod(owner, budget)
  const facts = await readFacts(owner, budget.id, { from: start, to: start })
  for (const { period } of [...facts.amounts, ...facts.periods]) {
    if ((periodNamed(rule, period)?.index ?? index) - index > 2 * MOST_PERIODS) {
      throw budgetErrors.noSuchPeriod()
    }
  }
  requireFewSteps(walkOf(facts, index))
  figuresWithinRange(owner, facts, index)
}

/** Puts lines into a new order; lines that are not named follow in the order in which they were. */
export async function reorderBudgetLines(
  ctx: SignedIn,
  budgetId: string,
  lineIds: string[],
  parents: Record<string, string | null> = {},
): Promise<ListedLines> {
  const { budget, lines } = await readLines(ctx, budgetId)
  requireWrite(ctx, budget)
  for (const [at, id] of lineIds.entries()) {
    namedLine(lines, id, `lineIds.${at}`)
  }
  for (const id of Object.keys(parents)) {
    namedLine(lines, id, `parents.${id}`)
  }
  const moved = lines.map((line) => ({
    ...line,
    parentLineId: parents[line.id] === undefined ? line.parentLineId : (parents[line.id] ?? null),
  }))
  for (const [id, parent] of Object.entries(parents)) {
    requireLineParent(moved, id, parent, `parents.${id}`)
  }
  const place = new Map(lineIds.map((id, at) => [id, at]))
  const ordered = moved.toSorted(
    (a, b) => (place.get(a.id) ?? lineIds.length) - (place.get(b.id) ?? lineIds.length),
  )
  const changed = moved.filter(({ parentLineId }, at) => parentLineId !== lines[at]?.parentLineId)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...ordered.filter(({ kind }) => kind === 'cardPayment').map(ensureLine),
          setLineOrder(
            budgetId,
            ordered.map(({ id }) => id),
          ),
          ...(changed.length === 0
            ? []
            : [...setParents(ctx, changed), mustBeNested(budgetId, parentsOf(changed, lines))]),
        ],
        events: [
          budgetLineEvents.reordered(
            { id: budgetId, resourceType: 'budget', ...ownerOf(budget) },
            { budgetId, lineIds },
          ),
        ],
      },
    ],
    result: {
      lines: ordered.map((line, order) => ({ ...line, order })),
      currency: budget.currency,
    },
  })
}
