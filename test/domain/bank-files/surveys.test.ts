import { expect, test } from 'vitest'
import type { SourceReader } from '../../../src/domain/bank-files/format.ts'
import type { SourceItem } from '../../../src/domain/bank-files/source.ts'
import { surveyByReading } from '../../../src/domain/bank-files/surveys.ts'

const account = (key: string): SourceItem[] => [{ is: 'account', account: { key } }]

test('a format that ends in steps is asked for each of them', () => {
  const steps = [account('a'), account('b')]
  const reader = { push: () => [], finish: () => steps.shift(), end: () => account('c') }
  const surveyor = surveyByReading('ynab', {}, () => reader as SourceReader)
  expect([surveyor.finish?.(), surveyor.finish?.(), surveyor.finish?.()]).toEqual([
    true,
    true,
    false,
  ])
  expect(surveyor.end().accounts.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
})

test('a format without steps has none', () => {
  const reader = { push: () => [], end: () => [] }
  expect(surveyByReading('ofx', {}, () => reader as SourceReader).finish?.()).toBe(false)
})
