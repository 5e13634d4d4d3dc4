import type { SourceRow } from '../../bank-files/source.ts'
import type { RowCombiner } from './profile.ts'

const HOLDS =
  /\b(?:authori[sz]ation|autorisierung|(?:konto)?einbehaltung|account hold|general hold|temporary hold|payment hold|payment review)\b/i
const CONVERSION =
  /currency conversion|währungsumrechnung|conversion de devise|conversión de divisa/i

/** The cell under the first of these headings that the file has. */
const cellOf = ({ raw }: SourceRow, ...headings: string[]) =>
  headings.map((heading) => raw[heading]).find((cell) => cell !== undefined)

/** Each currency is an account of its own; a conversion is a transfer between two of them, known by a key only. */
export const paypalRows = (): RowCombiner => ({
  add(row) {
    const isMemo = cellOf(row, 'Balance Impact', 'Auswirkung auf Guthaben') === 'Memo'
    const type = row.metadata['type'] ?? ''
    if (row.ignored === undefined && (isMemo || HOLDS.test(type))) {
      return [{ ...row, ignored: 'hold', errors: [] }]
    }
    const reference = cellOf(row, 'Reference Txn ID', 'Zugehöriger Transaktionscode')
    return reference && row.ignored === undefined && CONVERSION.test(type)
      ? [{ ...row, transfer: { account: '', pair: `paypal:${reference}` } }]
      : [row]
  },
  end: () => [],
})
