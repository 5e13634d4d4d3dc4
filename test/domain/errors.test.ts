import { expect, it } from 'vitest'
import { AppError, errorTable, STATUS_OF } from '../../src/domain/errors.ts'

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
