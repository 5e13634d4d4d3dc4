import { beforeAll, expect, it } from 'vitest'
import { fetchRaw } from '../support/api.ts'
import { SPANS } from '../../src/http/issues.ts'
import { described, type Described } from '../support/described.ts'
import { pathWith } from '../support/operations.ts'
import { newSampledUser, type SampledUser } from '../support/sampled-user.ts'

// A span that ends before it begins is refused, and its end named, wherever there is one.

/** What comes behind the year. */
const TAILS: Record<string, string> = {
  date: '-11-20',
  'date-time': '-11-20T08:30:00Z',
  month: '-11',
}

interface Span {
  /** What its two ends are called. */
  names: readonly [string, string]
  from: string
  to: string
}

/** The span of days, months or points in time that an operation takes; the currencies of a rate have no order. */
function spanOf({ parameters }: Described): Span | undefined {
  return SPANS.flatMap((names) => {
    const [from, to] = names.map((name) =>
      parameters.find((one) => one.name === name && one.in === 'query'),
    )
    const { format, pattern } = (from?.schema ?? {}) as { format?: string; pattern?: string }
    const tail = TAILS[format ?? (pattern?.startsWith('^[0-9]{4}-') ? 'month' : '')]
    return to && tail ? [{ names, from: `2027${tail}`, to: `2026${tail}` }] : []
  })[0]
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
  '%s refuses a span that ends before it begins',
  async (_, operation) => {
    const span = spanOf(operation)
    if (!span) {
      throw new Error(`${operation.operationId} has no span`)
    }
    const {
      names: [first, last],
      from,
      to,
    } = span
    const { path = {}, query = '' } = sampled.sampleOf(operation)
    const sent = new URLSearchParams(query)
    sent.set(first, from)
    sent.set(last, to)
    const response = await fetchRaw(`${pathWith(operation, path, 'none')}?${sent.toString()}`, {
      headers: { Authorization: `Bearer ${sampled.senderOf(operation).accessToken}` },
    })
    // Where a period can be named in place of days, the reports check their span themselves.
    const hasPeriods = operation.parameters.some(({ name }) => name === 'period')
    expect([response.status, await response.json()]).toMatchObject([
      400,
      hasPeriods
        ? { code: 'reports.spanInvalid', field: last }
        : { code: 'request.invalid', field: last, error: `${last} must not be before ${first}.` },
    ])
  },
)
