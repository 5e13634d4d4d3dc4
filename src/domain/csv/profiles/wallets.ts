import type { RowCombiner } from './profile.ts'

/** A bank's card by its name, or by the last digits in brackets. */
const CARD = /银行|信用卡|储蓄卡|[(（]\d{4}[)）]/

/** Leaves out rows that were paid with a bank's card, because the file of that card contains them. */
export const walletRows = (): RowCombiner => ({
  add(row) {
    if (row.ignored === undefined && CARD.test(row.account)) {
      row.ignored = 'paidElsewhere'
    }
    return [row]
  },
  end: () => [],
})
