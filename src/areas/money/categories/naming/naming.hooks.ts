import { type Draft, type LedgerHook, namedLabels } from '../../../../ledger/ledger.public.ts'
import { ambiguousName, categoryErrors } from '../categories.errors.ts'
import type { CategoryKind } from '../categories.rules.ts'
import { categoriesNamed, categoryNamed, type NamedCategoryRow } from './naming.queries.ts'

/** A transfer and its fees have expense categories. */
const kindOf = ({ kind }: Draft): CategoryKind => (kind === 'income' ? 'income' : 'expense')

const groupOf = (ownerId: string, kind: CategoryKind, key: string) => `${ownerId} ${kind} ${key}`

/** A transaction may name its category instead of sending an id. */
export const namedCategories: LedgerHook = namedLabels<NamedCategoryRow>({
  what: 'category',
  candidates: categoriesNamed,
  groupOf: ({ ownerId, kind, key }) => groupOf(ownerId, kind, key),
  // An income may name a category of expenses, as a refund, where none of incomes has the name.
  groupsIn: (draft, key) => {
    const ofExpenses = groupOf(draft.ownerId, 'expense', key)
    return kindOf(draft) === 'income'
      ? [groupOf(draft.ownerId, 'income', key), ofExpenses]
      : [ofExpenses]
  },
  unfit: {
    groupIn: ({ ownerId }, key) => groupOf(ownerId, 'income', key),
    error: categoryErrors.incomeName,
  },
  permission: 'categories.write',
  create: (ctx, draft, place) => categoryNamed(ctx, kindOf(draft), place),
  errors: {
    unknown: categoryErrors.unknownName,
    archived: categoryErrors.archivedCategory,
    ambiguous: ambiguousName,
    ownerCreates: categoryErrors.ownerCreates,
  },
})
