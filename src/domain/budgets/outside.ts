import { type RateOn, shareOutConverted } from '../exchange.ts'
import { sum, toMinor } from '../money.ts'
import type { Counted } from './conversion.ts'
import { splitKey } from './counting.ts'

/** The figures outside of lines that are made of categories. */
export const OF_CATEGORIES = ['uncovered', 'excluded'] as const

/** The amount that a category adds to a figure of `outside` in a period, in the currency of the budget. */
export interface OutsideCategory {
  figure: (typeof OF_CATEGORIES)[number]
  categoryId: string
  minor: number
}

/**
 * Finds what such figures of a period are made of, by figure and category. The categories of one day, currency and figure share
 * out its converted sum in the order of their ids, so that they add up to the figure.
 */
export function outsideCategoriesIn(
  counted: readonly Counted[],
  currency: string,
  rateOn: RateOn,
): (period: number) => OutsideCategory[] {
  const found = counted.flatMap((one) => {
    const figure = OF_CATEGORIES.find((name) => name === splitKey(one.key)[0])
    return figure && one.categoryId ? [{ ...one, figure, categoryId: one.categoryId }] : []
  })
  const byPeriod = Map.groupBy(found, ({ period }) => period)
  return (period) => {
    const groups = Map.groupBy(byPeriod.get(period) ?? [], ({ key, currency: own, day }) =>
      own === currency ? key : `${key} ${own} ${day}`,
    )
    const parts = [...groups.values()].flatMap((group) => sharesOf(group, currency, rateOn))
    return [...Map.groupBy(parts, ({ figure, categoryId }) => `${figure} ${categoryId}`)]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, same]) => {
        const minor = sum(same.map((part) => part.minor))
        return minor === 0 ? [] : same.slice(0, 1).map((part) => ({ ...part, minor }))
      })
  }
}

type Outward = Counted & OutsideCategory

/** Shares out the converted sum of one day, currency and figure to its categories; nothing without a rate. */
function sharesOf(group: readonly Outward[], to: string, rateOn: RateOn): OutsideCategory[] {
  const byCategory = [...Map.groupBy(group, ({ categoryId }) => categoryId)].toSorted(
    ([one], [other]) => (one < other ? -1 : 1),
  )
  const minors = byCategory.map(([, same]) => sum(same.map(({ minor }) => minor)))
  const shares = ({ currency, day }: Outward): number[] => {
    if (currency === to) {
      return minors
    }
    const rate = rateOn(currency, day)
    return rate ? shareOutConverted(minors, currency, to, rate).map(toMinor) : []
  }
  // All of a group have the figure, the currency and the day of the first.
  return group
    .slice(0, 1)
    .flatMap((first) =>
      shares(first).flatMap((minor, at) =>
        byCategory
          .slice(at, at + 1)
          .map(([categoryId]) => ({ figure: first.figure, categoryId, minor })),
      ),
    )
}
