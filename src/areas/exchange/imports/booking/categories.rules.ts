import { foldKey } from '../../../../domain/text.ts'

/** A category that somebody owns on whose accounts the caller books. */
export interface CategoryRow {
  id: string
  ownerId: string
  parentId: string | null
  name: string
  kind: 'expense' | 'income'
}

/** The conditions that a category must meet. */
export interface CategoryWish {
  kind: 'expense' | 'income'
  ownerId: string
  mapping: Record<string, string> | undefined
}

/** Finds categories by what files call them. */
export interface CategoryIndex {
  /** Of one owner, by the mapping, else by the whole path, else by the last name where that is the only one. */
  find: (path: string[], about: CategoryWish) => string | null
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
  const byPath = Map.groupBy(rows, (row) => `${row.ownerId} ${foldKey(pathOf(row))}`)
  const byName = Map.groupBy(rows, ({ ownerId, name }) => `${ownerId} ${foldKey(name)}`)
  // An expense has no category of incomes; an income may have one of expenses, as a refund.
  const fits = (kind: string) => (row: CategoryRow) => kind === 'income' || row.kind === 'expense'
  const best = (found: CategoryRow[] = [], kind: string) => {
    const usable = found.filter(fits(kind))
    return usable.find((row) => row.kind === kind) ?? usable[0]
  }
  return {
    expenseIds: new Set(rows.filter(({ kind }) => kind === 'expense').map(({ id }) => id)),
    find: (path, { kind, ownerId, mapping = {} }) => {
      const key = pathText(path)
      const mapped = byId.get((Object.hasOwn(mapping, key) && mapping[key]) || '')
      if (mapped?.ownerId === ownerId) {
        return fits(kind)(mapped) ? mapped.id : null
      }
      const whole = best(byPath.get(`${ownerId} ${foldKey(key)}`), kind)
      if (whole) {
        return whole.id
      }
      const named = (byName.get(`${ownerId} ${foldKey(path.at(-1) ?? '')}`) ?? []).filter(
        fits(kind),
      )
      return named.length === 1 ? (named[0]?.id ?? null) : null
    },
  }
}
