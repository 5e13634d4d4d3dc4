import type { RowCombiner } from './profile.ts'

const keyOf = (product: string, currency: string): string => `${product} ${currency}`.trim()

/** Each product has an account in each currency. */
export const revolutAccounts = (cell: (heading: string) => string): string[] => {
  const key = keyOf(cell('Product'), cell('Currency'))
  return key === '' ? [] : [key]
}

/** Both sides of an exchange begin at the same second. */
export const revolutRows = (): RowCombiner => ({
  add(row) {
    const { Type, Product = '', Currency = '', 'Started Date': started } = row.raw
    const isExchange = Type?.toUpperCase() === 'EXCHANGE'
    return [
      {
        ...row,
        account: keyOf(Product, Currency),
        ...(isExchange && started && row.ignored === undefined
          ? { transfer: { account: '', pair: `revolut:${started}` } }
          : {}),
      },
    ]
  },
  end: () => [],
})
