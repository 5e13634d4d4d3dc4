import { expect, test } from 'vitest'
import { camt } from '../../../src/domain/camt/camt.ts'
import { readFile } from '../bank-files/reading.ts'
import { ACCOUNT, entry, message } from './camt.fixtures.ts'

test('an entry of a report gives way to what the file tells again', () => {
  const ref = (id: string) => `<AcctSvcrRef>${id}</AcctSvcrRef>`
  const [pending] = ['<Sts>PDNG</Sts>']
  const of = (entries: string, kind: '052' | '053') =>
    message(entries, { kind }).replace(/^.*\n.*\n/, '')
  const file = `<Document>${of(
    entry('1', 'DBIT', ref('A'), pending) +
      entry('2', 'DBIT') +
      entry('2', 'DBIT') +
      entry('7', 'DBIT'),
    '052',
  )}${of(
    entry('1', 'DBIT', ref('A')) + entry('2', 'DBIT') + entry('3', 'DBIT', ref('B')),
    '052',
  )}${of(entry('2', 'DBIT', ref('C')) + entry('3', 'DBIT') + entry('9', 'DBIT', '', pending), '053')}</Document>`
  const { rows } = readFile(camt, file.replaceAll('</Document>', '') + '</Document>')
  expect(rows.map(({ amount: value, ignored }) => [value, ignored])).toEqual([
    ...[
      ['-1', 'toldAgain'],
      ['-2', 'toldAgain'],
      ['-2', undefined],
      ['-7', undefined],
    ],
    ...[
      ['-1', undefined],
      ['-2', 'toldAgain'],
      ['-3', 'toldAgain'],
    ],
    ...[
      ['-2', undefined],
      ['-3', undefined],
      ['-9', undefined],
    ],
  ])
  expect(rows.map(({ bankId }) => bankId?.id)).toEqual([
    ...['A', undefined, undefined, undefined, 'A', undefined, 'B', 'C', undefined, undefined],
  ])
})

test('a report that another one goes on from is told again, and the last of equal ones stays', () => {
  const since = (text: string) => `<FrToDt><FrDtTm>${text}</FrDtTm></FrToDt>`
  const of = (entries: string, before: string) =>
    message(entries, { kind: '052', before: `${before}${ACCOUNT}` }).replace(/^.*\n.*\n/, '')
  const day = since('2026-03-05T00:00:00')
  const reports = [
    of(entry('1', 'DBIT'), day),
    of(entry('1', 'DBIT') + entry('2', 'DBIT'), day),
    of(entry('1', 'DBIT') + entry('2', 'DBIT'), day),
    of(entry('1', 'DBIT'), since('2026-03-05T12:00:00')),
  ]
  const file = `<Document>${reports.join('')}`.replaceAll('</Document>', '') + '</Document>'
  const { rows } = readFile(camt, file)
  expect(rows.map(({ amount: value, ignored }) => [value, ignored])).toEqual([
    ['-1', 'toldAgain'],
    ['-1', 'toldAgain'],
    ['-2', 'toldAgain'],
    ...['-1', '-2', '-1'].map((value) => [value, undefined]),
  ])
})
