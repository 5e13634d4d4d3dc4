import {
  type Draft,
  type LedgerHook,
  namedLabels,
  type NamedPlace,
  namesIn,
  preparation,
} from '../../../ledger/ledger.public.ts'
import { ambiguousCategoryName, categoryErrors } from './categories.errors.ts'
import type { CategoryKind } from './categories.rules.ts'
import {
  categoriesNamed,
  categoryNamed,
  type NamedCategoryRow,
  type KindRow,
  kindsOf,
  rememberedKinds,
  rememberKinds,
} from './categories.queries.ts'

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
    ambiguous: ambiguousCategoryName,
    ownerCreates: categoryErrors.ownerCreates,
  },
})

/**
 * Tells which categories of an income are of the kind `expense`: there it is a refund. Where nothing is remembered of a category, a
 * booking without reading takes it for one of incomes; the commit refuses what is not so.
 */
export const refundCategories: LedgerHook = {
  prepare: (ctx, drafts) => {
    const incomes = drafts.filter(isIncome)
    const ids = [...new Set(incomes.flatMap(categoryIdsIn))]
    const keys = new Set(incomes.flatMap((one) => namesIn(one, 'category').map(({ key }) => key)))
    return preparation<KindRow>({
      needs: () => kindsOf(ctx, ids, [...keys]),
      // A name is looked for in any case.
      remembered: { rows: rememberedKinds(ctx, ids), premises: [] },
      remember: (rows) => rememberKinds(ctx, rows),
      decide: (rows) => {
        const ofExpenses = new Set(
          rows.filter(({ kind }) => kind === 'expense').map(({ id }) => id),
        )
        return (draft) =>
          isIncome(draft)
            ? { expenseCategoryIds: categoryIdsIn(draft).filter((id) => ofExpenses.has(id)) }
            : {}
      },
    })
  },
}

const isIncome = ({ kind }: Draft): boolean => kind === 'income'

const categoryIdsIn = ({ categoryId, splits = [] }: Draft): string[] =>
  [categoryId, ...splits.map((part) => part.categoryId)].flatMap((id) => id ?? [])
