import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import type { DomainEvent } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { idFrom } from '../../../../platform/secrets/crypto.ts'
import { insertMovements, mustBeOpen, mustHaveLines } from '../amounts/changes.queries.ts'
import { assignMoves, type MoneyMove, type StoredMovement } from '../amounts/changes.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents, budgetLineEvents } from '../budgets.events.ts'
import { accountsInsideOf, budgetById, mustChange } from '../budgets.queries.ts'
import {
  type BudgetRow,
  changesFrom,
  existingBudget,
  ownerOf,
  requireWrite,
  type Inside,
  parsedList,
  paymentCards,
} from '../budgets.rules.ts'
import {
  amountsOfLine,
  clearAmounts,
  eraseLine,
  giveAmounts,
  liftLinesBelow,
  type LineAmount,
  mustHaveAmounts,
  passScope,
  raisePeriodsOfLine,
  usesOfLine,
} from './deletion.queries.ts'
import { linesOfBudget, unpackLine, updateLineRow } from './lines.queries.ts'
import { lineContent, existingLine, type LineRow, namedLine, lineThing } from './lines.rules.ts'

export interface DeletedLine {
  isArchived: boolean
  /** True if anything was booked on the things that it counted. */
  isBooked: boolean
}

interface Deletion {
  budget: BudgetRow
  line: LineRow
  /** The line that takes over; undefined for the pool. */
  into: LineRow | undefined
  amounts: LineAmount[]
  /** Nominal start of the first period without the line. */
  from: string
}

/**
 * Archives a line from the current period on, or erases it where no figure of the past needs it. Another line takes over its
 * categories, what it has, and what it was assigned from then on; without one, the pool does.
 */
export async function deleteBudgetLine(
  ctx: SignedIn,
  budgetId: string,
  id: string,
  reassignTo: string | undefined,
): Promise<DeletedLine> {
  const [[found], stored, inside, amounts, [uses]] = await read(
    ctx,
    budgetById(ctx, budgetId),
    linesOfBudget({ id: budgetId, now: ctx.now }),
    accountsInsideOf(ctx, budgetId),
    amountsOfLine(budgetId, id),
    usesOfLine(budgetId, id),
  )
  const budget = existingBudget(found)
  const all = withPaymentLines(budget, stored.map(unpackLine), inside)
  const seen = new Set(seenLines(budget, all).map((one) => one.id))
  // With all that they count, and what they are below: the line gives this to others.
  const lines = all.filter((one) => seen.has(one.id))
  const line = existingLine(lines.find((one) => one.id === id && one.archivedFrom === null))
  requireWrite(ctx, budget)
  requireVersion(ctx, line.version)
  if (line.kind === 'cardPayment') {
    throw budgetErrors.paymentLine()
  }
  const into = successorOf(line, lines, reassignTo)
  const deletion = { budget, line, into, amounts, from: changesFrom(ctx, budget) }
  const isArchived = uses?.isUsed === 1
  const change = isArchived ? archival(ctx, deletion) : erasure(ctx, deletion)
  const guards = [
    ...mustChange(ctx, budget),
    mustBeOpen({ budgetId, period: deletion.from }),
    mustHaveAmounts(line, amounts),
    ...(into ? [mustHaveLines({ budgetId, period: deletion.from }, [into.id])] : []),
  ]
  return commit(ctx, {
    changes: [{ statements: [...guards, ...change.statements], events: change.events }],
    result: { isArchived, isBooked: uses?.isBooked === 1 },
  })
}

const MOST_TARGETS = 200

/** The line that takes over. It must be able to count what the line counts. */
function successorOf(
  line: LineRow,
  lines: readonly LineRow[],
  reassignTo: string | undefined,
): LineRow | undefined {
  if (reassignTo === undefined || reassignTo === 'pool') {
    return undefined
  }
  const field = 'reassignTo'
  const others = lines.filter(({ id, archivedFrom }) => id !== line.id && archivedFrom === null)
  const into = namedLine(others, reassignTo, field)
  if (into.kind === 'cardPayment') {
    throw budgetErrors.paymentLine({ field })
  }
  if (into.scopeKind !== line.scopeKind) {
    const problem = `it counts by ${into.scopeKind}, not by ${line.scopeKind}`
    throw budgetErrors.unknownScope({ problem }, { field })
  }
  if (new Set([...into.targetIds, ...line.targetIds]).size > MOST_TARGETS) {
    throw budgetErrors.tooMany({
      what: `A line can count at most ${MOST_TARGETS} categories. Choose another line`,
    })
  }
  return into
}

interface Parts {
  statements: Statement[]
  events: DomainEvent[]
}

function erasure(ctx: SignedIn, { budget, line, into, from }: Deletion): Parts {
  return {
    statements: [...scopePassed(ctx, line, into, from), liftLinesBelow(line), ...eraseLine(line)],
    events: [
      budgetLineEvents.deleted(lineThing(budget, line), {
        before: lineContent(line),
        budgetId: budget.id,
      }),
    ],
  }
}

function archival(ctx: SignedIn, deletion: Deletion): Parts {
  const { budget, line, into, from } = deletion
  const movements = movementsOf(ctx, deletion)
  const archived = { archivedFrom: from, archivedInto: into?.id ?? null }
  return {
    statements: [
      ...updateLineRow(ctx, line, archived),
      ...scopePassed(ctx, line, into, from),
      liftLinesBelow(line),
      raisePeriodsOfLine(line, from),
      ...(into && budget.mode === 'envelope' ? [giveAmounts(line, into.id, from)] : []),
      clearAmounts(line, from),
      ...(movements.length === 0 ? [] : [insertMovements(movements)]),
    ],
    events: [
      budgetLineEvents.archived(lineThing(budget, { ...line, version: line.version + 1 }), {
        before: lineContent(line),
        budgetId: budget.id,
        into: into?.id ?? null,
      }),
      ...movements.map((movement) =>
        budgetEvents.moneyMoved({ id: budget.id, ...ownerOf(budget) }, { movement }),
      ),
    ],
  }
}

/** Moves the scope of a line to the line that takes over, which gets a new version. */
const scopePassed = (
  ctx: SignedIn,
  line: LineRow,
  into: LineRow | undefined,
  from: string,
): Statement[] => [
  ...(into && line.targetIds.some((id) => !into.targetIds.includes(id))
    ? updateLineRow(ctx, into, {})
    : []),
  ...passScope(line, into?.id ?? null, from),
]

/** Makes the movements of the assigned amounts to the line that takes over, or to the pool. A limit is not money. */
function movementsOf(
  ctx: SignedIn,
  { budget, line, into, amounts, from }: Deletion,
): StoredMovement[] {
  if (budget.mode === 'limit') {
    return []
  }
  const target = into?.id ?? null
  const other = (end: string | null) => end ?? target
  return amounts
    .filter(({ period }) => period >= from)
    .flatMap(({ period, amountMinor }) =>
      assignMoves(line.id, -amountMinor).map((move: MoneyMove) => ({
        id: freshId(ctx, 'bmv'),
        budgetId: budget.id,
        period,
        fromLineId: other(move.from),
        toLineId: other(move.to),
        amountMinor: move.minor,
        kind: 'move' as const,
        note: null,
        actorId: ctx.caller.userId,
        createdAt: ctx.now,
        undoneBy: null,
      })),
    )
}

/** Lines with those of cards: of each card that is inside there is one, named as the card is. */
export function withPaymentLines(
  budget: BudgetRow,
  stored: readonly LineRow[],
  inside: readonly Inside[],
): LineRow[] {
  const byCard = new Map(stored.map((line) => [line.accountId, line]))
  const payments = paymentCards(budget, inside).map((card) => ({
    ...(byCard.get(card.id) ?? newPaymentLine(budget, card)),
    name: card.name,
    targetIds: [card.id],
  }))
  return [...stored.filter(({ kind }) => kind === 'line'), ...payments]
}

/**
 * The lines as the caller sees them: without accounts that the caller does not see, and payment lines of these. What is below a
 * line that is not shown is shown below the nearest one above it that is.
 */
export function seenLines(budget: BudgetRow, lines: LineRow[]): LineRow[] {
  const unseen = new Set(parsedList<string>(budget.unseen))
  const isSeen = ({ accountId }: LineRow) => accountId === null || !unseen.has(accountId)
  const byId = new Map(lines.map((line) => [line.id, line]))
  const seenParent = (line: LineRow | undefined): string | null => {
    const parent = byId.get(line?.parentLineId ?? '')
    return parent === undefined || isSeen(parent) ? (parent?.id ?? null) : seenParent(parent)
  }
  return lines.filter(isSeen).map((line) => ({
    ...line,
    targetIds: line.targetIds.filter((id) => !unseen.has(id)),
    items: Object.fromEntries(
      Object.entries(line.items).filter(([, accountId]) => !unseen.has(accountId ?? '')),
    ),
    parentLineId: seenParent(line),
  }))
}

/** The payment line of a card as it is before anybody changes it. */
export const newPaymentLine = (budget: BudgetRow, card: Pick<Inside, 'id' | 'name'>): LineRow => ({
  id: paymentLineId(budget.id, card.id),
  budgetId: budget.id,
  kind: 'cardPayment',
  accountId: card.id,
  name: card.name,
  nameKey: card.id,
  scopeKind: 'account',
  targetIds: [card.id],
  items: {},
  parentLineId: null,
  thresholds: null,
  target: null,
  note: null,
  order: 1_000_000,
  color: null,
  icon: null,
  archivedFrom: null,
  archivedInto: null,
  policy: null,
  capMinor: null,
  amountMinor: null,
  version: 1,
  createdAt: budget.createdAt,
  updatedAt: budget.createdAt,
})

/** Id of the payment line of a card in a budget. It follows from both, so that the line is there as soon as the card is. */
export const paymentLineId = (budgetId: string, accountId: string): string =>
  idFrom('bln', `${budgetId} ${accountId}`)
