import type { RowCombiner } from './profile.ts'

/** Each product has an account in each currency. */
export const revolutAccounts = (cell: (heading: string) => string): string[] =>
  [`${cell('Product')} ${cell('Currency')}`.trim()].filter(Boolean)

/** Both sides of an exchange begin at the same second. */
export const revolutRows = (): RowCombiner => ({
  add(row) {
    const cell = (heading: string) => row.raw[heading] ?? ''
    const [account = ''] = revolutAccounts(cell)
    const started = cell('Started Date')
    const isExchange = cell('Type').toUpperCase() === 'EXCHANGE' && started !== ''
    return [
      {
        ...row,
        account,
        ...(isExchange && row.ignored === undefined
          ? { transfer: { account: '', pair: `revolut:${started}` } }
          : {}),
      },
    ]
  },
  end: () => [],
})
