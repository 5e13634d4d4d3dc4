import { parseMoney } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import {
  availableIn,
  requireLineIn,
  type EnvelopePeriodFound,
  type MoneyMove,
  requireEnough,
  requireEnvelope,
  type StoredMovement,
} from '../amounts/changes.rules.ts'
import {
  type AmountsChange,
  type AmountsMade,
  changeAmounts,
  seenAmounts,
  storeAmounts,
  twice,
} from '../amounts/changes.usecases.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import { budgetById } from '../budgets.queries.ts'
import { budgetRow } from '../figures/figures.queries.ts'
import { factsFrom, figuresIn, furtherFactsOfBudgets } from '../figures/figures.usecases.ts'
import {
  type BudgetRow,
  existingBudget,
  ownerOf,
  periodOfBudget,
  requireWrite,
} from '../budgets.rules.ts'
import {
  countOfMovements,
  movementById,
  type MovementFilter,
  type MovementSince,
  pageOfMovements,
  periodOfMovement,
  setUndone,
} from './movements.queries.ts'

interface MoveInput {
  /** Ids of lines, or `pool`. */
  from: string
  to: string
  amount?: string | undefined
  toCover?: boolean | undefined
  /** Covers as much as there is. */
  partial?: boolean | undefined
  note?: string | null | undefined
  allowNegative?: boolean | undefined
}

const POOL = 'pool'

const lineOf = (end: string): string | null => (end === POOL ? null : end)

/** Moves money between lines, or between a line and the pool. */
export function moveMoney(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  sent: MoveInput,
): Promise<AmountsMade> {
  return changeAmounts(ctx, budgetId, period, ({ before, facts: { budget } }): AmountsChange => {
    const found = requireEnvelope(before, 'Moving money')
    const move = moveOf(found, sent)
    if (!sent.allowNegative) {
      requireEnough(found, move.from, move.minor)
    }
    return {
      moves: [move],
      kind: sent.toCover ? 'cover' : 'move',
      note: sent.note,
      events: ({ movements }) =>
        movements.map((movement) =>
          budgetEvents.moneyMoved({ id: budget.id, ...ownerOf(budget) }, { movement }),
        ),
    }
  })
}

function moveOf(found: EnvelopePeriodFound, sent: MoveInput): MoneyMove {
  const { from, to, amount, partial } = sent
  const ends = { from: lineOf(from), to: lineOf(to) }
  for (const field of ['from', 'to'] as const) {
    const end = ends[field]
    if (end !== null) {
      requireLineIn(found, end, field)
    }
  }
  if (amount !== undefined) {
    const minor = parseMoney(amount, found.budget.currency, { field: 'amount', allowZero: false })
    return { ...ends, minor }
  }
  const minor = 0 - availableIn(found, ends.to)
  if (minor <= 0) {
    throw budgetErrors.nothingToCover()
  }
  const has = availableIn(found, ends.from)
  return { ...ends, minor: partial && has > 0 ? Math.min(minor, has) : minor }
}

/** Newest first. */
export async function listMovements(
  ctx: SignedIn,
  budgetId: string,
  filter: MovementFilter,
  page: PageRequest,
): Promise<Page<StoredMovement> & { currency: string }> {
  const [[budget], found, [total]] = await read(
    ctx,
    budgetById(ctx, budgetId),
    pageOfMovements(ctx, budgetId, filter, page),
    countOfMovements(ctx, budgetId, filter),
  )
  const { currency } = existingBudget(budget)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0, currency }
}

/** Moves the money of a movement back, in its period. When somebody else decided meanwhile, all is read once more. */
export const undoMovement = (
  ctx: SignedIn,
  budgetId: string,
  movementId: string,
): Promise<AmountsMade> =>
  twice(async () => {
    const period = periodOfMovement(movementId)
    const asked = { budgets: budgetRow(budgetId), now: ctx.now, from: period, to: period, back: 0 }
    const [[budget], [undone], ...facts] = await read(
      ctx,
      budgetById(ctx, budgetId),
      movementById(ctx, budgetId, movementId),
      ...furtherFactsOfBudgets(asked),
    )
    const of = existingBudget(budget)
    if (!undone) {
      throw budgetErrors.movementNotFound()
    }
    requireWrite(ctx, of)
    if (!periodOfBudget(ctx, of, undone.period)) {
      throw budgetErrors.nothingToUndo({ why: 'The budget does not have its period any more' })
    }
    const seen = seenAmounts(
      ctx,
      figuresIn(ctx, factsFrom(ctx, [[of], ...facts]), { from: undone.period }),
    )
    requireUndoable(requireEnvelope(seen.before, 'Undoing a movement'), undone)
    return storeAmounts(ctx, seen, undoing(seen.facts.budget, undone), { resultOf: (made) => made })
  })

/** Refuses to undo twice, and to take more from a line than it has where its amounts were changed since. */
function requireUndoable(
  found: EnvelopePeriodFound,
  { fromLineId, toLineId, amountMinor, undoneBy, toSince }: MovementSince,
): void {
  if (undoneBy !== null) {
    throw budgetErrors.nothingToUndo({ why: 'The movement is undone already' })
  }
  const { figures } = found.of
  const there = new Set([...figures.lines, ...figures.payments].map(({ lineId }) => lineId))
  if ([fromLineId, toLineId].some((id) => id !== null && !there.has(id))) {
    throw budgetErrors.nothingToUndo({
      why: 'The period does not have a line of the movement any more',
    })
  }
  if (
    toLineId !== null &&
    fromWideSum(toSince) < 0n &&
    availableIn(found, toLineId) < amountMinor
  ) {
    throw budgetErrors.nothingToUndo({
      why: 'Its amounts were changed since, and the line has less than the movement gave it',
    })
  }
}

function undoing(budget: BudgetRow, { toSince, ...undone }: MovementSince): AmountsChange {
  const { fromLineId, toLineId, amountMinor } = undone
  return {
    moves: [{ from: toLineId, to: fromLineId, minor: amountMinor }],
    kind: 'undo',
    statements: ({ movements }) =>
      movements.flatMap(({ id }) => setUndone({ ...undone, toSince }, id)),
    events: ({ movements }) =>
      movements.map((movement) =>
        budgetEvents.movementUndone({ id: budget.id, ...ownerOf(budget) }, { movement, undone }),
      ),
  }
}
