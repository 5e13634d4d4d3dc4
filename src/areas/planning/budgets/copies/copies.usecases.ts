import { dateInZone } from '../../../../domain/calendar.ts'
import { periodOf } from '../../../../domain/budgets/periods.ts'
import { foldKey } from '../../../../domain/text.ts'
import { freshId, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { nothing, type Statement } from '../../../../platform/database/statements.ts'
import { type Membership, membershipIn } from '../../../identity/memberships/memberships.public.ts'
import { addToAmounts, insertMovements, setLimits } from '../amounts/changes.queries.ts'
import {
  assignMoves,
  deltasOf,
  type MoneyMove,
  requireNear,
  type StoredMovement,
} from '../amounts/changes.rules.ts'
import { columnsOfRule, storedOf } from '../budget-input.rules.ts'
import { budgetEvents, budgetLineEvents } from '../budgets.events.ts'
import {
  accountsInsideOf,
  budgetById,
  insertBudget,
  mustBeInGroup,
  setDefaultPolicy,
} from '../budgets.queries.ts'
import {
  type BudgetRow,
  existingBudget,
  ownerOf,
  requireFewPeriods,
  requirePeriod,
  ruleOf,
} from '../budgets.rules.ts'
import { budgetConflicts, requireGroupToWrite } from '../creation.usecases.ts'
import { dayOfPeriod } from '../figures/figures.usecases.ts'
import { ensureLine, linesOfBudget, unpackLine } from '../lines/lines.queries.ts'
import { lineContent, lineThing } from '../lines/lines.rules.ts'
import { insertLineWithAll } from '../lines/lines.usecases.ts'
import { newPaymentLine, withPaymentLines } from '../lines/deletion.usecases.ts'
import { type AmountOfPeriod, amountsNear, copyable } from './copies.queries.ts'
import { type CopiedLine, copyLines, type Countable, countableOf, namedBy } from './copies.rules.ts'

interface CopyInput {
  name: string
  groupId?: string | undefined
  startsOn?: string | undefined
  /** Period whose amounts the first period of the copy gets. */
  amountsOf?: string | undefined
}

/**
 * Makes a budget of the caller, or of a group, with the lines of another budget, their targets, policies and thresholds. What
 * the copy may not name, such as categories of people who are not in the group, is left out.
 */
export async function copyBudget(
  ctx: SignedIn,
  budgetId: string,
  sent: CopyInput,
): Promise<BudgetRow> {
  const { amountsOf, groupId } = sent
  const [[found], stored, inside, [membership], named, amounts] = await read(
    ctx,
    budgetById(ctx, budgetId),
    linesOfBudget({ id: budgetId, now: ctx.now }),
    accountsInsideOf(ctx, budgetId),
    membershipIn(ctx, groupId ?? ''),
    copyable(ctx, budgetId, ownersOf(ctx, groupId)),
    amountsOf === undefined
      ? nothing<AmountOfPeriod>()
      : amountsNear(budgetId, dayOfPeriod(ctx, amountsOf, 'amountsOf')),
  )
  const source = existingBudget(found)
  const lines = withPaymentLines(source, stored.map(unpackLine), inside)
  const from = amountsOf && requirePeriod(ctx, source, amountsOf, 'amountsOf').nominal
  if (groupId !== undefined) {
    requireGroupToWrite(membership)
  }
  const countable = countableOf(named)
  const copy = copyOf(ctx, source, sent, countable, membership)
  requireFewPeriods(ctx, copy)
  const copied = copyLines(copy, lines, countable, {
    newId: () => freshId(ctx, 'bln'),
    paymentLine: (card) => newPaymentLine(copy, card),
  })
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...(copy.groupId === null ? [] : [mustBeInGroup(ctx, copy.groupId, 'member')]),
          ...insertBudget(withoutPolicy(copy)),
          setDefaultPolicy(copy.id, '', copy.policy),
          ...copied.flatMap(({ line }) =>
            line.kind === 'line' ? insertLineWithAll(copy, line) : [ensureLine(line)],
          ),
          ...amountStatements(
            ctx,
            copy,
            copied,
            amounts.filter(({ period }) => period === from),
          ),
        ],
        events: [
          budgetEvents.copied(
            { id: copy.id, version: 1, ...ownerOf(copy) },
            { after: storedOf(copy), copyOf: source.id },
          ),
          ...copied
            .filter(({ line }) => line.kind === 'line')
            .map(({ line }) =>
              budgetLineEvents.created(lineThing(copy, line), {
                after: lineContent(line),
                budgetId: copy.id,
              }),
            ),
        ],
      },
    ],
    result: copy,
    conflicts: budgetConflicts,
  })
}

const ownersOf = (
  { caller }: SignedIn,
  groupId: string | undefined,
): Pick<BudgetRow, 'ownerId' | 'groupId'> => ({
  ownerId: groupId === undefined ? caller.userId : null,
  groupId: groupId ?? null,
})

function copyOf(
  ctx: SignedIn,
  source: BudgetRow,
  { name, groupId, startsOn }: CopyInput,
  countable: Countable,
  membership: Membership | undefined,
): BudgetRow {
  const profile = profileOf(ctx)
  return {
    ...source,
    ...ownersOf(ctx, groupId),
    ...namedBy(source, countable),
    id: freshId(ctx, 'bud'),
    createdBy: ctx.caller.userId,
    name,
    nameKey: foldKey(name),
    ...columnsOfRule(ruleOf(source), startsOn ?? dateInZone(ctx.now, source.timeZone)),
    archived: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    role: groupId === undefined ? null : (membership?.role ?? null),
    groupOwnerId: groupId === undefined ? null : (membership?.ownerId ?? null),
    baseCurrency:
      groupId === undefined
        ? profile.baseCurrency
        : (membership?.baseCurrency ?? profile.baseCurrency),
    isSuspended: 0,
    closedThrough: null,
    resting: '[]',
    unseen: '[]',
    isShared: 0,
  }
}

function withoutPolicy(copy: BudgetRow) {
  const { policy: _, ...stored } = storedOf(copy)
  return stored
}

/** The amounts of a period of the source, in the first period of the copy. */
function amountStatements(
  ctx: SignedIn,
  copy: BudgetRow,
  copied: readonly CopiedLine[],
  amounts: readonly { lineId: string; amountMinor: number }[],
): Statement[] {
  const ids = new Map(copied.map(({ from, line }) => [from.id, line.id]))
  const mine = amounts.flatMap(({ lineId, amountMinor }) => {
    const id = ids.get(lineId)
    return id === undefined ? [] : [[id, amountMinor] as const]
  })
  if (mine.length === 0) {
    return []
  }
  const first = periodOf(ruleOf(copy), copy.startsOn)
  requireNear(first, dateInZone(ctx.now, copy.timeZone))
  const period = { budgetId: copy.id, period: first.nominal, version: 1 }
  if (copy.mode === 'limit') {
    return [setLimits(period, new Map(mine))]
  }
  const moves = mine.flatMap(([lineId, minor]) => assignMoves(lineId, minor))
  return moves.length === 0
    ? []
    : [
        addToAmounts(period, deltasOf(moves)),
        insertMovements(moves.map((move) => movementOf(ctx, period, move))),
      ]
}

const movementOf = (
  ctx: SignedIn,
  { budgetId, period }: { budgetId: string; period: string },
  { from, to, minor }: MoneyMove,
): StoredMovement => ({
  id: freshId(ctx, 'bmv'),
  budgetId,
  period,
  fromLineId: from,
  toLineId: to,
  amountMinor: minor,
  kind: 'assign',
  note: null,
  actorId: ctx.caller.userId,
  createdAt: ctx.now,
  undoneBy: null,
})
