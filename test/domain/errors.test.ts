import { expect, it } from 'vitest'
import {
  AppError,
  checkAll,
  checkBelow,
  errorTable,
  resultOrRefusal,
  STATUS_OF,
} from '../../src/domain/errors.ts'

const errors = errorTable('shelf', { full: ['conflict', 'The shelf is full.'] })

it('makes an area’s errors of its table: code, kind, sentence', () => {
  const error = errors.full()
  expect(error).toBeInstanceOf(AppError)
  expect([error.code, error.kind, error.message]).toEqual([
    'shelf.full',
    'conflict',
    'The shelf is full.',
  ])
  expect([error.field, error.retryAfter, error.cause]).toEqual([undefined, undefined, undefined])
})

it('keeps the field for the caller and the cause for the log', () => {
  const cause = new Error('underneath')
  const error = errors.full({ field: 'name', retryAfter: 3, cause })
  expect([error.field, error.retryAfter, error.cause]).toEqual(['name', 3, cause])
})

it('maps every kind to a status of its own', () => {
  const statuses = Object.values(STATUS_OF)
  expect(new Set(statuses).size).toBe(statuses.length)
})

const rules = errorTable('rules', {
  tooLong: ['invalid', 'At most {most}, not {given}.'],
  odd: ['invalid', 'That is odd.'],
  taken: ['conflict', 'That is taken.'],
})

it('fills the gaps of a message', () => {
  const error = rules.tooLong({ most: 5, given: 6 }, { field: 'name' })
  expect([error.message, error.field]).toEqual(['At most 5, not 6.', 'name'])
  expect(error.issues).toEqual([
    { field: 'name', code: 'rules.tooLong', message: 'At most 5, not 6.' },
  ])
})

it('gives what checks find, or all that they refuse as one error', () => {
  expect(
    checkAll(
      () => 1,
      () => 'two',
    ),
  ).toEqual([1, 'two'])
  const fail = (error: AppError) => () => {
    throw error
  }
  const both = () =>
    checkAll(
      fail(rules.odd({ field: 'a' })),
      fail(rules.tooLong({ most: 1, given: 2 }, { field: 'b' })),
    )
  expect(both).toThrow(expect.objectContaining({ code: 'rules.odd', field: 'a' }))
  expect(both).toThrow(
    expect.objectContaining({
      issues: [
        { field: 'a', code: 'rules.odd', message: 'That is odd.' },
        { field: 'b', code: 'rules.tooLong', message: 'At most 1, not 2.' },
      ],
    }),
  )
  expect(() => checkAll(fail(rules.odd()))).toThrow(expect.objectContaining({ field: undefined }))
  // What is no fault of the request goes first, and alone.
  expect(() => checkAll(fail(rules.odd()), fail(rules.taken()))).toThrow('That is taken.')
})

it('names the field of a check of a part below that part', () => {
  expect(checkBelow('parameters', () => 7)).toBe(7)
  const fieldOf = (detail: { field?: string }) => {
    const refused = resultOrRefusal(() =>
      checkBelow('parameters', () => {
        throw rules.odd(detail)
      }),
    )
    return refused instanceof AppError && [refused.code, refused.field]
  }
  expect(fieldOf({ field: 'from' })).toEqual(['rules.odd', 'parameters.from'])
  expect(fieldOf({})).toEqual(['rules.odd', 'parameters'])
})
