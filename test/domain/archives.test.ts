import { expect, it } from 'vitest'
import { archiveState } from '../../src/domain/archives.ts'

it.each([
  ['ready', 'succeeded', 'ready'],
  ['expired', null, 'expired'],
  ['failed', 'queued', 'failed'],
  ['queued', 'queued', 'queued'],
  ['queued', 'running', 'running'],
  ['queued', 'cancelled', 'cancelled'],
  ['queued', 'dead', 'failed'],
  ['queued', null, 'failed'],
] as const)('is, stored as %s with a task that is %s, %s', (stored, task, state) => {
  expect(archiveState(stored, task)).toBe(state)
})
