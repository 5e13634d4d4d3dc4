import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { categoryErrors } from '../categories.errors.ts'
import { categoryEvents } from '../categories.events.ts'
import { allCategories, settleTree, type CategoryRow } from '../categories.queries.ts'
import { flawOf } from '../categories.rules.ts'
import { placeCategories } from './order.queries.ts'

/** A category in its new place; without a parent it stays where it is. */
export interface Placing {
  id: string
  parentId?: string | null | undefined
}

/** Puts categories in the order in which they are sent, each below the parent that is sent. */
export async function reorderCategories(ctx: SignedIn, wanted: Placing[]): Promise<void> {
  const [tree] = await read(ctx, allCategories(ctx))
  const byId = new Map(tree.map((category) => [category.id, category]))
  const fieldOf = (at: number, name: string) => ({ field: `categories.${at}.${name}` })
  const placed = new Map<string, CategoryRow>()
  for (const [at, { id, parentId }] of wanted.entries()) {
    const now = byId.get(id)
    if (!now) {
      throw categoryErrors.unknownCategory(fieldOf(at, 'id'))
    }
    if (placed.has(id)) {
      throw categoryErrors.namedTwice(fieldOf(at, 'id'))
    }
    placed.set(id, {
      ...now,
      order: at,
      parentId: parentId === undefined ? now.parentId : parentId,
    })
  }
  const flaw = flawOf(tree.map((one) => placed.get(one.id) ?? one))
  if (flaw) {
    const at = wanted.findIndex(({ id }) => id === flaw.id)
    throw flaw.error(at === -1 ? {} : fieldOf(at, 'parentId'))
  }
  const after = [...placed.values()].filter(
    ({ id, parentId, order }) =>
      byId.get(id)?.parentId !== parentId || byId.get(id)?.order !== order,
  )
  const placeOf = ({ id, parentId, order }: CategoryRow) => ({ id, parentId, order })
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...placeCategories(
            ctx,
            after.map((one) => ({ ...placeOf(one), version: one.version })),
          ),
          ...settleTree(ctx),
        ],
        events: [
          categoryEvents.reordered(
            { id: null },
            {
              before: after.flatMap(({ id }) => byId.get(id) ?? []).map(placeOf),
              after: after.map(placeOf),
            },
          ),
        ],
      },
    ],
    result: undefined,
    conflicts: { 'categories.name_key': () => categoryErrors.nameTaken({ field: 'categories' }) },
  })
}
