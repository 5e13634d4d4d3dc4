import type { Policy } from '../../../../domain/budgets/policies.ts'
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
  policy: Policy | null
  capMinor: number | null
  amountMinor: number | null
}

/** The content of a line that the log keeps. */
export type LineContent = Omit<LineRow, 'budgetId' | 'id' | 'version' | 'createdAt' | 'updatedAt'>

export const contentOf = ({
  budgetId: _b,
  id: _i,
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
export const MOST_LINES = 500

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
export function requireParent(
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
export function requireFieldsOfMode(
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
export const thingOf = (
  budget: BudgetRow,
  line: Pick<LineRow, 'id' | 'version'>,
): { id: string; version: number } & Pick<StoredBudget, 'ownerId' | 'groupId'> => ({
  id: line.id,
  version: line.version,
  ...ownerOf(budget),
})
