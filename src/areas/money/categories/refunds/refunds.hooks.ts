import {
  type Draft,
  type LedgerHook,
  namesIn,
  preparation,
} from '../../../../ledger/ledger.public.ts'
import { type KindRow, kindsOf, rememberedKinds, rememberKinds } from './refunds.queries.ts'

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
      needs: kindsOf(ctx, ids, [...keys]),
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
