import { foldKey } from '../../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { nothing, type Statement } from '../../../../platform/database/statements.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetLineEvents } from '../budgets.events.ts'
import { accountsInsideOf, budgetById, mustChange } from '../budgets.queries.ts'
import {
  changesFrom,
  existingBudget,
  newLinesFrom,
  requireOpenPeriod,
  requirePeriod,
  requireWrite,
  type BudgetRow,
} from '../budgets.rules.ts'
import {
  countableIds,
  ensureLine,
  insertLine,
  linesOfBudget,
  mustBeNested,
  mustHaveRoomForLines,
  replaceScope,
  setLineChange,
  termsOfLine,
  unpackLine,
  updateLineRow,
} from './lines.queries.ts'
import {
  type LineInput,
  looksOf,
  moneyOf,
  newLine,
  requireFreeCategory,
} from './line-input.rules.ts'
import {
  lineContent,
  existingLine,
  orderAfter,
  type LineRow,
  parentsOf,
  requireLineFieldsOfMode,
  requireLineParent,
  type ScopeKind,
  lineThing,
  storedLine,
  termsAt,
  type TermsRow,
  withTerms,
} from './lines.rules.ts'
import { seenLines, withPaymentLines } from './deletion.usecases.ts'

/** A line with the currency of its money. */
export interface ShownLine {
  line: LineRow
  currency: string
}

export interface ListedLines {
  lines: LineRow[]
  currency: string
}

/** The lines of a budget that the caller sees, payment lines included, whether anything was assigned to them or not. */
export const readLines = async (
  ctx: SignedIn,
  budgetId: string,
): Promise<{ budget: BudgetRow; lines: LineRow[] }> =>
  readLinesWith(ctx, budgetId, nothing<{ id: string }>())

/** Like `readLines`, together with another query in the same round trip. */
export async function readLinesWith<Row>(
  ctx: SignedIn,
  budgetId: string,
  finder: Statement<Row[]>,
  termsFinder: Statement<TermsRow[]> = nothing<TermsRow>(),
): Promise<{ budget: BudgetRow; lines: LineRow[]; rows: Row[]; terms: TermsRow[] }> {
  const [[found], stored, inside, rows, terms] = await read(
    ctx,
    budgetById(ctx, budgetId),
    linesOfBudget({ id: budgetId, now: ctx.now }),
    accountsInsideOf(ctx, budgetId),
    finder,
    termsFinder,
  )
  const budget = existingBudget(found)
  const lines = withPaymentLines(budget, stored.map(unpackLine), inside)
  return { budget, lines: seenLines(budget, lines), rows, terms }
}

export async function listBudgetLines(
  ctx: SignedIn,
  budgetId: string,
  archived: boolean | undefined,
): Promise<ListedLines> {
  const { budget, lines } = await readLines(ctx, budgetId)
  const isListed = ({ archivedFrom }: LineRow) =>
    archived === undefined || archived === (archivedFrom !== null)
  return { lines: lines.filter(isListed), currency: budget.currency }
}

export async function getBudgetLine(
  ctx: SignedIn,
  budgetId: string,
  id: string,
): Promise<ShownLine> {
  const { budget, lines } = await readLines(ctx, budgetId)
  return { line: existingLine(lines.find((line) => line.id === id)), currency: budget.currency }
}

export async function createBudgetLine(
  ctx: SignedIn,
  budgetId: string,
  sent: LineInput & { name: string; scope: { kind: ScopeKind; ids?: string[] | undefined } },
): Promise<ShownLine> {
  const { budget, lines } = await readForChange(ctx, budgetId, sent)
  const { order = orderAfter(lines) } = sent
  const line = newLine({ id: freshId(ctx, 'bln'), now: ctx.now }, budget, { ...sent, order })
  requireLineParent(lines, line.id, line.parentLineId)
  requireFreeCategory(budget, line, lines)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...insertLineWithAll(budget, line),
          ...(line.parentLineId === null ? [] : [mustBeNested(budgetId, parentsOf([line], lines))]),
          mustHaveRoomForLines(budgetId),
        ],
        events: [
          budgetLineEvents.created(lineThing(budget, line), { after: lineContent(line), budgetId }),
        ],
      },
    ],
    result: { line, currency: budget.currency },
    conflicts: lineConflicts,
  })
}

/** Statements that store a new line with what it counts and what holds of it. */
export const insertLineWithAll = (budget: BudgetRow, line: LineRow): Statement[] => {
  const { targetIds, policy, capMinor, amountMinor } = line
  return [
    insertLine(storedLine(line)),
    ...replaceScope(line, targetIds, { exclusive: budget.mode === 'envelope' }),
    setLineChange(line, newLinesFrom(budget), { policy, capMinor, amountMinor }),
  ]
}

/** The budget with its lines, once it is clear that the caller may change it and the line can count what is sent. */
async function readForChange(
  ctx: SignedIn,
  budgetId: string,
  sent: LineInput,
  lineId?: string,
): Promise<{ budget: BudgetRow; lines: LineRow[]; terms: TermsRow[] }> {
  const { scope } = sent
  const { budget, lines, rows, terms } = await readLinesWith(
    ctx,
    budgetId,
    scope ? countableIds(ctx, budgetId, scope.kind, scope.ids ?? []) : nothing<{ id: string }>(),
    lineId === undefined ? undefined : termsOfLine(budgetId, lineId),
  )
  requireWrite(ctx, budget)
  requireLineFieldsOfMode(budget, sent)
  if (scope) {
    requireCountable(scope, rows)
  }
  return { budget, lines, terms }
}

function requireCountable(
  { kind, ids = [] }: { kind: ScopeKind; ids?: string[] | undefined },
  found: readonly { id: string }[],
): void {
  // A line without categories only groups those below it, or holds money that nothing is booked on.
  const isWrong = kind === 'everything' ? ids.length > 0 : ids.length === 0 && kind !== 'category'
  if (isWrong) {
    const problem =
      kind === 'everything' ? 'a line over everything has no ids' : 'name one id at least'
    throw budgetErrors.unknownScope({ problem }, { field: 'scope.ids' })
  }
  const known = new Set(found.map(({ id }) => id))
  const at = kind === 'everything' ? -1 : ids.findIndex((id) => !known.has(id))
  if (at === -1) {
    return
  }
  const field = `scope.ids.${at}`
  if (kind === 'category') {
    throw budgetErrors.unknownCategory({ field })
  }
  if (kind === 'account') {
    throw budgetErrors.unknownAccount({ field })
  }
  throw budgetErrors.unknownScope({ problem: `there is no such ${kind}` }, { field })
}

export const lineConflicts = {
  'budget_lines.name_key': () => budgetErrors.lineNameTaken({ field: 'name' }),
  'budget_line_scopes.target_id': () => budgetErrors.categoryTaken({ field: 'scope.ids' }),
}

export async function updateBudgetLine(
  ctx: SignedIn,
  budgetId: string,
  id: string,
  sent: LineInput & { from?: string | undefined },
): Promise<ShownLine> {
  const { budget, lines, terms } = await readForChange(ctx, budgetId, sent, id)
  const before = existingLine(lines.find((line) => line.id === id))
  requireVersion(ctx, before.version)
  if (before.kind === 'cardPayment') {
    return updatePaymentLine(ctx, { budget, lines }, before, sent)
  }
  // The scope of an archived line ended with it: from then on nothing would show what it counts.
  if (sent.scope && before.archivedFrom !== null) {
    throw budgetErrors.unknownScope({ problem: 'the line is archived' }, { field: 'scope' })
  }
  const from = startOfChange(ctx, budget, sent.from)
  const there = termsAt(terms, from)
  const { policy = there.policy } = sent
  const { changed, newest } = withTerms(terms, from, {
    policy,
    ...moneyOf(sent, budget, there),
  })
  const after: LineRow = {
    ...before,
    name: sent.name ?? before.name,
    nameKey: foldKey(sent.name ?? before.name),
    scopeKind: sent.scope?.kind ?? before.scopeKind,
    targetIds: sent.scope ? (sent.scope.ids ?? []).toSorted() : before.targetIds,
    ...newest,
    ...looksOf(sent, before),
    version: before.version + 1,
    updatedAt: ctx.now,
  }
  const isMoved = after.parentLineId !== before.parentLineId
  if (isMoved) {
    requireLineParent(lines, id, after.parentLineId)
  }
  requireFreeCategory(budget, after, lines)
  const { version: _, ...row } = storedLine(after)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ...updateLineRow(ctx, before, isMoved ? row : withoutParent(row)),
          ...(isMoved ? [mustBeNested(budgetId, parentsOf([after], lines))] : []),
          ...(sent.scope
            ? replaceScope(before, after.targetIds, {
                exclusive: budget.mode === 'envelope',
                isOfOtherKind: after.scopeKind !== before.scopeKind,
              })
            : []),
          ...changed.map(({ fromPeriod, ...change }) => setLineChange(before, fromPeriod, change)),
        ],
        events: [
          budgetLineEvents.updated(lineThing(budget, after), {
            before: lineContent(before),
            after: lineContent(after),
            budgetId,
          }),
        ],
      },
    ],
    result: { line: after, currency: budget.currency },
    conflicts: lineConflicts,
  })
}

/** Returns the stored fields of a line that stays under its parent, which the caller may not be allowed to see. */
const withoutParent = <Row extends { parentLineId: unknown }>({ parentLineId: _, ...row }: Row) =>
  row

/** Changes the note, order, color, icon, thresholds and parent of the payment line of a card, and nothing else. */
function updatePaymentLine(
  ctx: SignedIn,
  { budget, lines }: { budget: BudgetRow; lines: readonly LineRow[] },
  before: LineRow,
  sent: LineInput,
): Promise<ShownLine> {
  const field = (['name', 'scope', 'policy'] as const).find((one) => sent[one] !== undefined)
  if (field) {
    throw budgetErrors.paymentLine({ field })
  }
  const version = before.version + 1
  const after = { ...before, ...looksOf(sent, before), version, updatedAt: ctx.now }
  const isMoved = after.parentLineId !== before.parentLineId
  if (isMoved) {
    requireLineParent(lines, before.id, after.parentLineId)
  }
  const { version: _, ...row } = storedLine(after)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustChange(ctx, budget),
          ensureLine(before),
          ...updateLineRow(ctx, before, isMoved ? row : withoutParent(row)),
          ...(isMoved ? [mustBeNested(budget.id, parentsOf([after], lines))] : []),
        ],
        events: [
          budgetLineEvents.updated(lineThing(budget, after), {
            before: lineContent(before),
            after: lineContent(after),
            budgetId: budget.id,
          }),
        ],
      },
    ],
    result: { line: after, currency: budget.currency },
  })
}

/** Nominal start of the period from which a change holds. */
function startOfChange(ctx: SignedIn, budget: BudgetRow, named: string | undefined): string {
  if (named === undefined) {
    return changesFrom(ctx, budget)
  }
  const period = requirePeriod(ctx, budget, named, 'from')
  requireOpenPeriod(budget, period, 'from')
  return period.nominal
}
