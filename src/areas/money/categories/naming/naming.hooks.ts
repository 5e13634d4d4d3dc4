import {
  type Draft,
  type LedgerHook,
  namedLabels,
  type NamedPlace,
} from '../../../../ledger/ledger.public.ts'
import { ambiguousName, categoryErrors } from '../categories.errors.ts'
import type { CategoryKind } from '../categories.rules.ts'
import { categoriesNamed, categoryNamed, type NamedCategoryRow } from './naming.queries.ts'

/** A transfer, its fees and a part that is a transfer have expense categories. */
const kindOf = ({ kind }: Draft, { isOfTransfer }: NamedPlace): CategoryKind =>
  kind === 'income' && !isOfTransfer ? 'income' : 'expense'

const groupOf = (ownerId: string, kind: CategoryKind, key: string) => `${ownerId} ${kind} ${key}`

/** A transaction may name its category instead of sending an id. */
export const namedCategories: LedgerHook = namedLabels<NamedCategoryRow>({
  what: 'category',
  candidates: categoriesNamed,
  groupOf: ({ ownerId, kind, key }) => groupOf(ownerId, kind, key),
  // An income may name a category of expenses, as a refund, where none of incomes has the name.
  groupsIn: (draft, place) => {
    const ofExpenses = groupOf(draft.ownerId, 'expense', place.key)
    return kindOf(draft, place) === 'income'
      ? [groupOf(draft.ownerId, 'income', place.key), ofExpenses]
      : [ofExpenses]
  },
  unfit: {
    groupIn: ({ ownerId }, key) => groupOf(ownerId, 'income', key),
    error: categoryErrors.incomeName,
  },
  permission: 'categories.write',
  create: (ctx, draft, place) => categoryNamed(ctx, kindOf(draft, place), place),
  errors: {
    unknown: categoryErrors.unknownName,
    archived: categoryErrors.archivedCategory,
    ambiguous: ambiguousName,
    ownerCreates: categoryErrors.ownerCreates,
  },
})
