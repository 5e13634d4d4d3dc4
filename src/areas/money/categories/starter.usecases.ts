import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { againIfCreatedMeanwhile, namingConflicts } from '../../../ledger/ledger.public.ts'
import { categoryErrors } from './categories.errors.ts'
import {
  allCategories,
  categoriesCreated,
  newCategoryRow,
  requireCategoryParent,
  type CategoryRow,
} from './categories.queries.ts'
import type { Parent, Language } from './categories.rules.ts'
import { type Household, languageOf, starterPlan, starterSet } from './starter.rules.ts'

export interface StarterRequest {
  locale?: string | undefined
  household: Household
}

/** The result of creating a starter set. */
export interface Started {
  language: Language
  household: Household
  created: CategoryRow[]
  existing: CategoryRow[]
}

/** Creates what the caller lacks of a starter set; what they have already stays as it is. */
export const createStarterCategories = (ctx: SignedIn, wanted: StarterRequest): Promise<Started> =>
  againIfCreatedMeanwhile(() => createMissing(ctx, wanted))

async function createMissing(
  ctx: SignedIn,
  { locale, household }: StarterRequest,
): Promise<Started> {
  const [known] = await read(ctx, allCategories(ctx))
  const language = languageOf(locale ?? profileOf(ctx).locale)
  const planned = starterPlan(starterSet(language, household), known)
  const rows: CategoryRow[] = []
  const parents = new Map<string, Parent>()
  const created: CategoryRow[] = []
  for (const one of planned) {
    if ('existing' in one) {
      rows.push(one.existing)
      continue
    }
    const { below: _, nameKey: _key, ...said } = one.starter
    const parent = typeof one.parent === 'number' ? rows[one.parent] : one.parent
    if (typeof one.parent === 'object') {
      parents.set(one.parent.id, one.parent)
    }
    const place = parent ? { parentId: parent.id, depth: parent.depth + 1 } : {}
    const row = newCategoryRow(ctx, { ...said, ...place })
    rows.push(row)
    created.push(row)
  }
  const existing = planned.flatMap((one) => ('existing' in one ? [one.existing] : []))
  const result = { language, household, created, existing }
  // An Idempotency-Key must stand for this answer from now on, also when nothing is new.
  if (created.length === 0 && !ctx.repeatable) {
    return result
  }
  return commit(ctx, {
    changes: [
      withoutEvents(
        [...parents.values()].map((parent) => requireCategoryParent(ctx, parent, changedMeanwhile)),
      ),
      ...(created.length > 0 ? [categoriesCreated(ctx, created, categoryErrors.tooMany)] : []),
    ],
    result,
    conflicts: namingConflicts,
  })
}
