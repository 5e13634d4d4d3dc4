import type { RowCombiner } from './profile.ts'

const HOLDS =
  /\b(?:authori[sz]ation|account hold|general hold|temporary hold|payment hold|payment review)\b/i
const CONVERSION =
  /currency conversion|währungsumrechnung|conversion de devise|conversión de divisa/i

/** Each currency is an account of its own; a conversion is a transfer between two of them, known by a key only. */
export const paypalRows = (): RowCombiner => ({
  add(row) {
    const isMemo = row.raw['Balance Impact'] === 'Memo'
    const type = row.metadata['type'] ?? ''
    if (row.ignored === undefined && (isMemo || HOLDS.test(type))) {
      return [{ ...row, ignored: 'hold', errors: [] }]
    }
    const reference = row.raw['Reference Txn ID']
    return reference && row.ignored === undefined && CONVERSION.test(type)
      ? [{ ...row, transfer: { account: '', pair: `paypal:${reference}` } }]
      : [row]
  },
  end: () => [],
})
