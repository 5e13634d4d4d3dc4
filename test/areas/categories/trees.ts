import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { type call, ok, type Principal, rows } from '../../support/api.ts'

let serial = 0

type Wanted = NonNullable<NonNullable<Parameters<typeof call<typeof createCategory>>[1]>['json']>

/** A category of the user: an expense one at the top, with a name of its own, unless told otherwise. */
export const newCategory = (as: Principal, wanted: Partial<Wanted> = {}) =>
  ok(createCategory, { as, json: { name: `Category ${++serial}`, kind: 'expense', ...wanted } })

/** A chain of categories, each below the one before. */
export async function newBranch(as: Principal, length: number, parentId?: string) {
  const branch: Awaited<ReturnType<typeof newCategory>>[] = []
  for (let at = 0; at < length; at++) {
    const above = branch.at(-1)?.id ?? parentId
    branch.push(await newCategory(as, above === undefined ? {} : { parentId: above }))
  }
  return branch
}

/** Depths that are kept, by id, and those that the parents give: the same, in a tree that is sound. */
export async function depthsOf(as: { id: string }) {
  const kept = await rows<{ id: string; depth: number; parent_id: string | null }>(
    'SELECT id, depth, parent_id FROM categories WHERE owner_id = ?',
    as.id,
  )
  const byId = new Map(kept.map((row) => [row.id, row]))
  const depthOf = (id: string | null, steps = 0): number =>
    id === null || steps > 20 ? steps : depthOf(byId.get(id)?.parent_id ?? null, steps + 1)
  return {
    kept: Object.fromEntries(kept.map(({ id, depth }) => [id, depth])),
    true: Object.fromEntries(kept.map(({ id }) => [id, depthOf(id)])),
  }
}
