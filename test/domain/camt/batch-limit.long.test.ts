import { expect, test } from 'vitest'
import { camt } from '../../../src/domain/camt/camt.ts'
import { readFile } from '../bank-files/reading.ts'
import { details, entry, message } from './camt.fixtures.ts'

test('an entry has at most ten thousand details', () => {
  const many = (count: number) =>
    message(entry('1.00', 'DBIT', details(...Array.from({ length: count }, () => ''))))
  expect(readFile(camt, many(10_000)).rows).toHaveLength(1)
  expect(() => readFile(camt, many(10_001))).toThrow('more than 10000 details')
})
