import type { RowCombiner } from './profile.ts'

/** A conversion stands in the files of both currencies, with one id; each currency is an account. */
export const wiseRows = (): RowCombiner => ({
  add(row) {
    const { id } = row.bankId ?? {}
    const currencies = [row.raw['Exchange From'], row.raw['Exchange To']]
    const other = currencies.find((currency) => currency && currency !== row.currency)
    if (id?.startsWith('BALANCE') && other) {
      row.transfer = { account: other, pair: `wise:${id}` }
    }
    return [row]
  },
  end: () => [],
})
