import { describe, expect, test } from 'vitest'
import {
  addCounts,
  areComplete,
  countRows,
  noRows,
  recounted,
} from '../../../src/domain/imports/counts.ts'
import { VERDICTS } from '../../../src/domain/imports/verdicts.ts'
import { sharedWords, payeeWords } from '../../../src/domain/matching/texts.ts'

describe('the equation of rows', () => {
  test('each verdict counts once', () => {
    const counts = countRows([...VERDICTS, 'new' as const].map((verdict) => ({ verdict })))
    expect(counts).toMatchObject({ rows: 10, new: 2, duplicate: 1, skipped: 1 })
    expect(areComplete(counts)).toBe(true)
    expect(areComplete(noRows())).toBe(true)
  })

  test('pieces add up', () => {
    const one = countRows([{ verdict: 'new' }, { verdict: 'error' }])
    const sum = addCounts(one, countRows([{ verdict: 'new' }]))
    expect(sum).toEqual({ ...noRows(), rows: 3, new: 2, error: 1 })
  })

  test('a row that gets another verdict is counted by it alone', () => {
    const counts = countRows([{ verdict: 'new' }, { verdict: 'new' }])
    const next = recounted(counts, [{ before: 'new', after: 'matched' }])
    expect(next).toEqual({ ...noRows(), rows: 2, new: 1, matched: 1 })
    expect(counts.new).toBe(2)
    expect(areComplete(next)).toBe(true)
    expect(areComplete(recounted(next, [{ before: 'locked', after: 'new' }]))).toBe(false)
  })

  test('a row too many is seen', () => {
    expect(areComplete({ ...noRows(), rows: 1 })).toBe(false)
  })
})

describe('words that tell payees apart', () => {
  test.each([
    ['CARD 1234 AMAZON', ['amazon']],
    ['LA PIAZZA NY', ['piazza']],
    ['Kartenzahlung REWE Markt 0815 Berlin', ['rewe', 'markt']],
    ['地铁 票', ['地铁', '票']],
    ['café-bar L’Été', ['café', 'bar', 'été']],
    ['VISA 12', []],
    ['', []],
  ])('%s: %j', (text, words) => {
    expect([...payeeWords(text)]).toEqual(words)
  })

  test.each([
    ['amazon', 'amazon marketplace', 1],
    ['coffee cake', 'coffee lounge', 0.5],
    ['lunch', 'dinner', 0],
    ['', 'dinner', 0],
    ['', '', 0],
  ])('%j and %j share %d', (one, other, share) => {
    expect(sharedWords(payeeWords(one), payeeWords(other))).toBe(share)
    expect(sharedWords(payeeWords(other), payeeWords(one))).toBe(share)
  })
})
