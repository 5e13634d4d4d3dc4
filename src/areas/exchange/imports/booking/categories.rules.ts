import { foldKey } from '../../../../domain/text.ts'

/** A category of the owner. */
export interface CategoryRow {
  id: string
  parentId: string | null
  name: string
  kind: 'expense' | 'income'
}

/** Finds categories by what files call them. */
export interface CategoryIndex {
  /** By the mapping, else by the whole path, else by the last name where that is the only one. */
  find: (
    path: string[],
    kind: 'expense' | 'income',
    mapping: Record<string, string> | undefined,
  ) => string | null
  /** Those of the kind `expense`. */
  expenseIds: ReadonlySet<string>
}

export const pathText = (path: string[]): string => path.join(' / ')

export function categoryIndex(rows: CategoryRow[]): CategoryIndex {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = ({ name, parentId }: CategoryRow): string => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return parent ? `${pathOf(parent)} / ${name}` : name
  }
  const byPath = Map.groupBy(rows, (row) => foldKey(pathOf(row)))
  const byName = Map.groupBy(rows, ({ name }) => foldKey(name))
  // An expense has no category of incomes; an income may have one of expenses, as a refund.
  const fits = (kind: string) => (row: CategoryRow) => kind === 'income' || row.kind === 'expense'
  const best = (found: CategoryRow[] = [], kind: string) => {
    const usable = found.filter(fits(kind))
    return usable.find((row) => row.kind === kind) ?? usable[0]
  }
  return {
    expenseIds: new Set(rows.filter(({ kind }) => kind === 'expense').map(({ id }) => id)),
    find: (path, kind, mapping = {}) => {
      const mapped = byId.get(mapping[pathText(path)] ?? '')
      if (mapped) {
        return fits(kind)(mapped) ? mapped.id : null
      }
      const whole = best(byPath.get(foldKey(pathText(path))), kind)
      if (whole) {
        return whole.id
      }
      const named = (byName.get(foldKey(path.at(-1) ?? '')) ?? []).filter(fits(kind))
      return named.length === 1 ? (named[0]?.id ?? null) : null
    },
  }
}
