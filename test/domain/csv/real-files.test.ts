import { describe, expect, it } from 'vitest'
import { sumDecimals } from '../../../src/domain/bank-files/decimals.ts'
import { filesBeside } from '../../support/beside.ts'
import { itemsOf, survey } from './read-csv.fixtures.ts'

// Files of banks that lie beside the project where they are at hand; elsewhere there is nothing to test.
const files = filesBeside('imports/csv/*.csv')

/** Rows of the file, and the sum of those that are booked. */
const EXPECTED: Record<string, [number, string]> = {
  'bunq.csv': [7, '-23.82'],
  'mint.csv': [4, '-3000'],
  'n26-fr.csv': [2, '0'],
  'outbank.csv': [4, '-35.89'],
  'raiffeisen-headerless.csv': [74, '-4580.7'],
  'schwab-checking.csv': [4, '-215.27'],
}

const cases = [...files].map(([path, bytes]) => ({
  name: path.split('/').at(-1) ?? path,
  text: bytes.toString(),
}))

describe.skipIf(cases.length === 0)('files of banks', () => {
  it.each(cases)('$name', ({ name, text }) => {
    const { reading, questions } = survey(text)
    const columns = questions.find(({ key }) => key === 'columns')?.suggestion
    const items = itemsOf(text, { ...reading, ...(columns && { columns: JSON.parse(columns) }) })
    const rows = items.flatMap((item) => (item.is === 'row' ? [item.row] : []))
    const amounts = rows.flatMap(({ amount, errors, ignored }) =>
      amount !== undefined && errors.length === 0 && ignored === undefined ? [amount] : [],
    )
    expect([rows.length, sumDecimals(amounts)]).toEqual(EXPECTED[name])
  })
})
