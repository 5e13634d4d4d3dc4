import { expect, test } from 'vitest'
import { lines, readCsv } from './read-csv.fixtures.ts'

const FIREFLY =
  'journal_id,group_id,type,amount,foreign_amount,currency_code,foreign_currency_code,date,description,source_name,source_type,destination_name,destination_type'
const OWN = 'Asset account'
const WISE =
  'ID,Status,Direction,Created on,Finished on,Source fee amount,Source fee currency,Target fee amount,Target fee currency,Source name,Source amount (after fees),Source currency,Target name,Target amount (after fees),Target currency,Exchange rate,Reference,Batch'

test.each<[string, string, string[][]]>([
  [
    'Firefly III',
    lines(
      FIREFLY,
      `1,1,Transfer,-100.00,4.00,UAH,USD,2026-03-14,x,Hryvnia,${OWN},Dollars,${OWN}`,
      `2,2,Transfer,-5.00,,UAH,,2026-03-15,x,Hryvnia,${OWN},Box,${OWN}`,
    ),
    [
      ['Hryvnia', 'UAH'],
      ['Dollars', 'USD'],
      ['Box', 'UAH'],
    ],
  ],
  [
    'Wise',
    lines(
      WISE,
      'B-1,COMPLETED,NEUTRAL,2026-03-14 10:00:00,2026-03-14 10:00:01,0.10,EUR,,,Ada,10.00,EUR,Ada,11.00,USD,1.1,,',
    ),
    [
      ['EUR', 'EUR'],
      ['USD', 'USD'],
    ],
  ],
])(
  'the accounts of a row with two have the currency that each side is in: %s',
  (_, text, found) => {
    const { survey } = readCsv(text)
    expect(survey.accounts.map(({ key, currency }) => [key, currency])).toEqual(found)
  },
)
