import { type Draft, type LedgerHook, namedLabels } from '../../../../ledger/ledger.public.ts'
import { ambiguousName, categoryErrors } from '../categories.errors.ts'
import type { CategoryKind } from '../categories.rules.ts'
import { categoriesNamed, categoryNamed, type NamedCategoryRow } from './naming.queries.ts'

/** Only the fee of a transfer has a category. */
const kindOf = ({ kind }: Draft): CategoryKind => (kind === 'income' ? 'income' : 'expense')

/** A transaction may name its category instead of sending an id. */
export const namedCategories: LedgerHook = namedLabels<NamedCategoryRow>({
  what: 'category',
  candidates: categoriesNamed,
  groupOf: ({ ownerId, kind, key }) => `${ownerId} ${kind} ${key}`,
  groupIn: (draft, key) => `${draft.ownerId} ${kindOf(draft)} ${key}`,
  permission: 'categories.write',
  create: (ctx, draft, place) => categoryNamed(ctx, kindOf(draft), place),
  errors: {
    unknown: categoryErrors.unknownName,
    archived: categoryErrors.archivedCategory,
    ambiguous: ambiguousName,
    ownerCreates: categoryErrors.ownerCreates,
  },
})
