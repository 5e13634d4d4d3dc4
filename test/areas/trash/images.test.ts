import { expect, it } from 'vitest'
import { exactly } from '../../../src/domain/stored-values.ts'
import { MOST_RELABELLED } from '../../../src/ledger/labels/labels.rules.ts'
import { MOST_LINES_OF_ONE, trashedImage } from '../../../src/ledger/rows/stored-rows.rules.ts'

const isImage = trashedImage(exactly('row'))
const withLines = (lines: unknown, more: object = {}) =>
  isImage({ row: 'row', into: null, lines, ...more }, {})
const upTo = (most: number) => Array.from({ length: most }, (_, at) => at)
const transactions = (most: number) =>
  Object.fromEntries(upTo(most).map((at) => [`txn_${at}`, [0]]))

it.each<[string, unknown]>([
  ['none', {}],
  ['the whole', { txn_a: [0] }],
  ['parts of several', { txn_a: [2, 3], txn_b: [2] }],
  ['each that a transaction may have', { txn_a: upTo(MOST_LINES_OF_ONE + 1) }],
  ['those of as many transactions as may be', transactions(MOST_RELABELLED)],
])('an image in the trash may name as its lines %s', (_, lines) => {
  expect([withLines(lines), withLines({}, { refunds: lines })]).toEqual([true, true])
})

it.each<[string, unknown]>([
  ['one twice', { txn_a: [2, 2] }],
  ['one twice among others', { txn_a: [0], txn_b: [2, 3, 4, 2] }],
  ['no line of a transaction', { txn_a: [] }],
  ['more than a transaction has', { txn_a: upTo(MOST_LINES_OF_ONE + 2) }],
  ['those of more transactions than may be', transactions(MOST_RELABELLED + 1)],
  [
    'more lines in all than one commit relabels',
    Object.fromEntries(upTo(MOST_RELABELLED / 2 + 1).map((at) => [`txn_${at}`, [0, 2]])),
  ],
  ['a line below the first', { txn_a: [-1] }],
  ['half a line', { txn_a: [1.5] }],
  ['a line as text', { txn_a: ['2'] }],
  ['one that is no list', { txn_a: 2 }],
  ['those of what has no id', { ['x'.repeat(65)]: [0] }],
  ['a list', [[0]]],
])('an image in the trash does not name as its lines %s', (_, lines) => {
  expect([withLines(lines), withLines({}, { refunds: lines })]).toEqual([false, false])
})
