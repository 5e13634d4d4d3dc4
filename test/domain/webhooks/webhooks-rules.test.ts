import { describe, expect, it } from 'vitest'
import {
  disabledAfter,
  type Filter,
  isKnownPattern,
  isWanted,
  nextAttemptAt,
  pauseAfter,
  type ToldEvent,
} from '../../../src/areas/events/webhooks/webhooks.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 20)
const KNOWN = new Set(['tag.created', 'tag.deleted', 'session.created', 'mfa.enabled'])

describe('a pattern of types', () => {
  it.each([
    ['*', true],
    ['tag.*', true],
    ['tag.created', true],
    ['session.created', true],
    ['tag.updated', false],
    ['tags.*', false],
    ['session.*', false],
    ['mfa.*', false],
    ['tag', false],
    ['.*', false],
    ['', false],
  ])('%s is known: %s', (pattern, isKnown) => {
    expect(isKnownPattern(pattern, KNOWN)).toBe(isKnown)
  })
})

const webhook: Filter = {
  ...{ ownerId: 'usr_1', types: ['*'], accountIds: null, ignoreTokenIds: ['tok_1'] },
  afterEvent: 10,
}
const event: ToldEvent = {
  ...{ number: 11, id: 'log_1', at: NOW, type: 'tag.created', ownerId: 'usr_1', tokenId: null },
  ...{ resourceId: 'tag_1', accountId: null, version: 1 },
}

describe('an event', () => {
  it.each<[string, Partial<Filter>, Partial<ToldEvent>, boolean]>([
    ['of a wanted type', {}, {}, true],
    ['of its resource', { types: ['tag.*'] }, {}, true],
    ['of another resource', { types: ['tags.*', 'ta.*'] }, {}, false],
    ['of a guarded type and a star', {}, { type: 'session.created' }, false],
    ['of a guarded type by name', { types: ['mfa.enabled'] }, { type: 'mfa.enabled' }, true],
    ['of another owner', {}, { ownerId: 'usr_2' }, false],
    ['from before', {}, { number: 10 }, false],
    ['on no account', { accountIds: ['acc_1'] }, {}, false],
    ['on a named account', { accountIds: ['acc_1'] }, { accountId: 'acc_1' }, true],
  ])('%s is told or not', (_, filter, changed, isTold) => {
    expect(isWanted({ ...webhook, ...filter }, { ...event, ...changed })).toBe(isTold)
  })

  it('made with an ignored token is not told', () => {
    expect(isWanted(webhook, { ...event, tokenId: 'tok_1' })).toBe(false)
    expect(isWanted(webhook, { ...event, tokenId: 'tok_2' })).toBe(true)
  })
})

describe('the next attempt', () => {
  const after = (attempts: number, chance: number, retryAfter: string | null = null) =>
    (nextAttemptAt({ retryAfter }, { now: NOW, attempts, chance }) ?? Number.NaN) - NOW

  it('comes after longer and longer times, up to a tenth later, nine times', () => {
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(seconds.map((_, at) => after(at + 1, 0))).toEqual(seconds.map((one) => one * 1000))
    expect(seconds.map((_, at) => after(at + 1, 1))).toEqual(seconds.map((one) => one * 1100))
    expect(after(10, 0)).toBeNaN()
    expect(after(11, 0, '60')).toBeNaN()
  })

  it.each([
    ['60', 60_000],
    ['0', 5000],
    ['4', 5000],
    ['-5', 5000],
    ['1.5', 5000],
    ['1e9', 5000],
    ['Invalid Date', 5000],
    ['Mon, 99 Abc 2026 00:00:00 GMT', 5000],
    ['2100', 2_100_000],
    ['2100-01-01', 5000],
    ['1 Jan 2100', 5000],
    ['86401', DAY],
    ['9'.repeat(400), DAY],
    [new Date(NOW + HOUR).toUTCString(), HOUR],
    [new Date(NOW - HOUR).toUTCString(), 5000],
    [new Date(NOW + 9 * DAY).toUTCString(), DAY],
    ['soon', 5000],
  ])('comes when Retry-After says %s', (retryAfter, wait) => {
    expect(after(1, 0, retryAfter)).toBe(wait)
    expect(after(9, 1, retryAfter)).toBe(Math.round(DAY * 1.1))
  })
})

it('disables a webhook after 410, or four days of failures', () => {
  expect(disabledAfter({ status: 410 }, null, NOW)).toBe('gone')
  expect(disabledAfter({ status: 500 }, null, NOW)).toBeUndefined()
  expect(disabledAfter({ status: 500 }, NOW - 4 * DAY + 1, NOW)).toBeUndefined()
  expect(disabledAfter({ status: null }, NOW - 4 * DAY, NOW)).toBe('failing')
})

it('leaves a receiver alone that does not answer, the longer it does not', () => {
  expect([0, 60_000, 600_000, DAY].map((ms) => pauseAfter(NOW - ms, NOW))).toEqual([
    ...[5000, 6000, 60_000, 300_000],
  ])
})
