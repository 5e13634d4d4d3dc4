import { beforeAll, expect, it } from 'vitest'
import { fetchRaw } from '../support/api.ts'
import { described, type Described } from '../support/described.ts'
import { pathWith } from '../support/operations.ts'
import { newSampledUser, type SampledUser } from '../support/sampled-user.ts'

// A span that ends before it begins is refused, and `to` named, wherever there is one.

/** What comes behind the year. */
const TAILS: Record<string, string> = {
  date: '-11-20',
  'date-time': '-11-20T08:30:00Z',
  month: '-11',
}

/** A span of days, months or points in time; the currencies of a rate are called from and to as well. */
function spanOf({ parameters }: Described): [from: string, to: string] | undefined {
  const [from, to] = ['from', 'to'].map((name) =>
    parameters.find((one) => one.name === name && one.in === 'query'),
  )
  const { format, pattern } = (from?.schema ?? {}) as { format?: string; pattern?: string }
  const tail = TAILS[format ?? (pattern?.startsWith('^[0-9]{4}-') ? 'month' : '')]
  return to && tail ? [`2027${tail}`, `2026${tail}`] : undefined
}

let sampled: SampledUser

beforeAll(async () => {
  sampled = await newSampledUser()
})

const withSpans = described.filter((one) => spanOf(one) !== undefined)

it('is asked for by many operations', () => {
  expect(withSpans.length).toBeGreaterThan(12)
})

it.each(withSpans.map((one) => [one.operationId, one] as const))(
  '%s refuses to before from',
  async (_, operation) => {
    const [from, to] = spanOf(operation) ?? []
    const { path = {}, query = '' } = sampled.sampleOf(operation)
    const sent = new URLSearchParams(query)
    sent.set('from', from ?? '')
    sent.set('to', to ?? '')
    const response = await fetchRaw(`${pathWith(operation, path, 'none')}?${sent.toString()}`, {
      headers: { Authorization: `Bearer ${sampled.senderOf(operation).accessToken}` },
    })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'request.invalid', field: 'to', error: 'to must not be before from.' },
    ])
  },
)
