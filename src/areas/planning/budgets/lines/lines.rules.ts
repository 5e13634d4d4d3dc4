import type { CarryPolicy } from '../../../../domain/budgets/policies.ts'
import { foldKey } from '../../../../domain/text.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { type BudgetRow, modeError, ownerOf, type StoredBudget } from '../budgets.rules.ts'

export type ScopeKind = 'category' | 'tag' | 'payee' | 'account' | 'everything'

/** A line as it is stored. */
export interface StoredLine {
  id: string
  budgetId: string
  kind: 'line' | 'cardPayment'
  /** The card of a payment line. */
  accountId: string | null
  name: string
  nameKey: string
  scopeKind: ScopeKind
  parentLineId: string | null
  /** JSON list of percents; null for those of the budget. */
  thresholds: string | null
  /** JSON. */
  target: string | null
  note: string | null
  order: number
  color: string | null
  icon: string | null
  /** Nominal start of the first period without the line, and the line that has what this one had; null for the pool. */
  archivedFrom: string | null
  archivedInto: string | null
  version: number
  createdAt: number
  updatedAt: number
}

/** A line with what it counts and what holds of it from its newest change on. */
export interface LineRow extends StoredLine {
  targetIds: string[]
  /** The recurring items that its target names and that the budget can count now, each with its account. */
  items: Readonly<Record<string, string | null>>
  policy: CarryPolicy | null
  capMinor: number | null
  amountMinor: number | null
}

/** The columns of a line. */
export const storedLine = ({
  targetIds: _t,
  items: _i,
  policy: _p,
  capMinor: _c,
  amountMinor: _a,
  ...stored
}: LineRow): StoredLine => stored

/** The content of a line that the log keeps. */
export type LineContent = Omit<
  LineRow,
  'budgetId' | 'id' | 'items' | 'version' | 'createdAt' | 'updatedAt'
>

export const lineContent = ({
  budgetId: _b,
  id: _i,
  items: _t,
  version: _v,
  createdAt: _c,
  updatedAt: _u,
  ...content
}: LineRow): LineContent => content

export function existingLine(line: LineRow | undefined): LineRow {
  if (!line) {
    throw budgetErrors.lineNotFound()
  }
  return line
}

/** The line that a field of a request names. */
export function namedLine<Line extends { id: string }>(
  lines: readonly Line[],
  id: string,
  field: string,
): Line {
  const line = lines.find((one) => one.id === id)
  if (!line) {
    throw budgetErrors.unknownLine({ field })
  }
  return line
}

/** Lines that a budget may have. */
export const MOST_BUDGET_LINES = 500

/** The last place in the list. */
const LAST_PLACE = 1_000_000

/** The place of a new line: behind all others. Lines with the same place stand in the order of their creation. */
export const orderAfter = (lines: readonly LineRow[]): number =>
  Math.min(
    LAST_PLACE,
    1 + Math.max(-1, ...lines.filter(({ kind }) => kind === 'line').map(({ order }) => order)),
  )

/** The maximum depth of nested lines. */
export const LEVELS = 5

/** Refuses a parent that is not there, that is below the line, or that would nest lines too deep. */
export function requireLineParent(
  lines: readonly LineRow[],
  lineId: string,
  parentLineId: string | null,
  field = 'parentLineId',
): void {
  const byId = new Map(lines.map((line) => [line.id, line]))
  let levels = 1
  for (let id = parentLineId; id !== null; id = byId.get(id)?.parentLineId ?? null) {
    if (!byId.has(id) || id === lineId || isArchived(byId.get(id))) {
      throw budgetErrors.unknownParent({ field })
    }
    levels += 1
    if (levels > LEVELS * 2) {
      throw budgetErrors.unknownParent({ field })
    }
  }
  if (levels + levelsBelow(lines, lineId) > LEVELS) {
    throw budgetErrors.tooDeep({ field })
  }
}

/** The lines that these ones are shown below. */
export const parentsOf = (
  shown: readonly LineRow[],
  lines: readonly LineRow[],
): readonly LineRow[] => {
  const ids = new Set(shown.map(({ parentLineId }) => parentLineId))
  return lines.filter(({ id }) => ids.has(id))
}

const isArchived = (line: LineRow | undefined): boolean =>
  line !== undefined && line.archivedFrom !== null

function levelsBelow(lines: readonly LineRow[], lineId: string): number {
  const below = lines.filter((line) => line.parentLineId === lineId)
  return below.length === 0 ? 0 : 1 + Math.max(...below.map((line) => levelsBelow(lines, line.id)))
}

/** Refuses what the mode of the budget has no use for. */
export function requireLineFieldsOfMode(
  { mode }: Pick<BudgetRow, 'mode'>,
  sent: { cap?: unknown; amount?: unknown; scope?: { kind: ScopeKind } | undefined },
): void {
  if (mode === 'limit') {
    return
  }
  for (const field of ['cap', 'amount'] as const) {
    if (sent[field] !== undefined) {
      throw modeError({ mode }, `\`${field}\``, field)
    }
  }
  if (sent.scope !== undefined && sent.scope.kind !== 'category') {
    throw budgetErrors.unknownScope(
      { problem: 'lines of envelope budgets count categories only' },
      { field: 'scope.kind' },
    )
  }
}

/** The thing that an event of a line is about. */
export const lineThing = (
  budget: BudgetRow,
  line: Pick<LineRow, 'id' | 'version'>,
): { id: string; version: number } & Pick<StoredBudget, 'ownerId' | 'groupId'> => ({
  id: line.id,
  version: line.version,
  ...ownerOf(budget),
})

/** The terms of a line: its policy, cap and amount. */
export type LineTerms = Pick<LineRow, 'policy' | 'capMinor' | 'amountMinor'>

/** The terms of a line from a period on. */
export interface TermsRow extends LineTerms {
  /** Nominal start; empty for the beginning. */
  fromPeriod: string
}

const NO_TERMS: LineTerms = { policy: null, capMinor: null, amountMinor: null }

/** The terms of a line in a period. `rows` are in the order of their periods. */
export function termsAt(rows: readonly TermsRow[], nominal: string): LineTerms {
  const { policy, capMinor, amountMinor } =
    rows.findLast(({ fromPeriod }) => fromPeriod <= nominal) ?? NO_TERMS
  return { policy, capMinor, amountMinor }
}

/**
 * Makes terms hold of a line from a period on. Each goes on until it was changed later: a later change of another term takes it
 * over.
 * @returns the rows to store, and what holds from the newest row on
 */
export function withTerms(
  rows: readonly TermsRow[],
  fromPeriod: string,
  wanted: LineTerms,
): { changed: TermsRow[]; newest: LineTerms } {
  const before = termsAt(rows, fromPeriod)
  let news = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => before[name as keyof LineTerms] !== value),
  ) as Partial<LineTerms>
  if (Object.keys(news).length === 0) {
    return { changed: [], newest: termsAt(rows, LAST) }
  }
  const changed: TermsRow[] = [{ ...before, ...news, fromPeriod }]
  for (const row of rows.filter((one) => one.fromPeriod > fromPeriod)) {
    news = Object.fromEntries(
      Object.entries(news).filter(([name]) => {
        const term = name as keyof LineTerms
        return row[term] === before[term]
      }),
    )
    if (Object.keys(news).length === 0) {
      break
    }
    changed.push({ ...row, ...news })
  }
  const unchanged = rows.filter((row) => !changed.some((one) => one.fromPeriod === row.fromPeriod))
  const all = [...unchanged, ...changed].toSorted((a, b) => (a.fromPeriod < b.fromPeriod ? -1 : 1))
  return { changed, newest: termsAt(all, LAST) }
}

/** After all periods. */
const LAST = '~'

/** The categories that a new budget has lines for. */
export type FirstLines = 'leaves' | 'top' | 'none'

export interface CategoryForLine {
  id: string
  name: string
  parentId: string | null
  archived: boolean
  /** It, and all below it, is outside of budgets. */
  excluded: boolean
}

/** A first line of a budget, and the category whose line it is shown below. */
export interface FirstLine {
  categoryId: string
  name: string
  below: string | null
  /** Groups the lines below it. */
  isGroup: boolean
}

/**
 * The first lines of a budget in the order of the tree: one for each category at the top, or for each one without subcategories
 * and for the categories above it.
 * @param categories each level in its order
 */
export function firstLinesOf(
  categories: readonly CategoryForLine[],
  lines: FirstLines,
): FirstLine[] {
  const below = Map.groupBy(categories, ({ parentId }) => parentId)
  const names = new Set<string>()
  const found: FirstLine[] = []
  const visit = (parent: CategoryForLine | null, shownBelow: string | null) => {
    for (const one of below.get(parent?.id ?? null) ?? []) {
      const isLeaf = lines === 'top' || !below.has(one.id)
      const hasLine = !one.archived && !one.excluded
      if (hasLine) {
        const name = uniqueName(one.name, parent?.name, names)
        found.push({ categoryId: one.id, name, below: shownBelow, isGroup: !isLeaf })
      }
      if (!isLeaf && !one.excluded) {
        visit(one, hasLine ? one.id : shownBelow)
      }
    }
  }
  if (lines !== 'none') {
    visit(null, null)
  }
  return found.slice(0, MOST_BUDGET_LINES)
}

function uniqueName(name: string, parentName: string | undefined, taken: Set<string>): string {
  const longer =
    parentName && taken.has(foldKey(name)) ? `${parentName} / ${name}`.slice(0, 90) : name
  let own = longer
  for (let number = 2; taken.has(foldKey(own)); number += 1) {
    own = `${longer} ${number}`
  }
  taken.add(foldKey(own))
  return own
}
