import { toInstant } from '../../../domain/calendar.ts'

/** The fields of a webhook that its user chooses. */
export interface WebhookInput {
  url: string
  types: string[]
  accountIds: string[] | null
  ignoreTokenIds: string[]
  description: string
  active: boolean
}

/** What the log keeps of a webhook: neither secrets nor how far it is. */
export interface WebhookImage extends WebhookInput {
  secretPrefix: string
  version: number
}

/** The maximum number of webhooks of a user. */
export const MOST_WEBHOOKS = 20
/** The tests of webhooks that a user can have in a minute. */
export const MOST_TESTS = 10

export const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const imageOf = (row: WebhookImage): WebhookImage => ({
  ...{ url: row.url, types: row.types, accountIds: row.accountIds },
  ...{ ignoreTokenIds: row.ignoreTokenIds, description: row.description, active: row.active },
  ...{ secretPrefix: row.secretPrefix, version: row.version },
})

export const stateOf = (row: { active: boolean; failingSince: number | null }) =>
  row.active ? (row.failingSince === null ? 'active' : 'failing') : 'disabled'

/** Resources whose events a webhook gets only where it names their types. */
const ONLY_BY_NAME = ['session', 'signIn', 'accessToken', 'mfa']

const resourceIn = (type: string) => type.slice(0, type.indexOf('.'))

/** True if a pattern can ever fit: it is `*`, a type, or a resource with `.*`. */
export function isKnownPattern(pattern: string, known: ReadonlySet<string>): boolean {
  if (!pattern.endsWith('.*')) {
    return pattern === '*' || known.has(pattern)
  }
  const resource = pattern.slice(0, -2)
  return (
    !ONLY_BY_NAME.includes(resource) && [...known].some((type) => resourceIn(type) === resource)
  )
}

const fits = (pattern: string, type: string): boolean =>
  pattern === type ||
  (!ONLY_BY_NAME.includes(resourceIn(type)) &&
    (pattern === '*' || pattern === `${resourceIn(type)}.*`))

/** The fields of an event of the log that are told. */
interface ToldFields {
  at: number
  type: string
  resourceId: string | null
  accountId: string | null
  version: number | null
}

/** An event of the log with the fields that decide whether it is told. */
export interface ToldEvent extends ToldFields {
  number: number
  id: string
  ownerId: string | null
  tokenId: string | null
}

/** The fields of a webhook that decide what it is told. */
export interface Filter extends Pick<WebhookInput, 'types' | 'accountIds' | 'ignoreTokenIds'> {
  ownerId: string
  afterEvent: number
}

/** True if a webhook is told of an event. */
export const isWanted = (webhook: Filter, event: ToldEvent): boolean =>
  event.ownerId === webhook.ownerId &&
  event.number > webhook.afterEvent &&
  webhook.types.some((pattern) => fits(pattern, event.type)) &&
  (webhook.accountIds?.includes(event.accountId ?? '') ?? true) &&
  !webhook.ignoreTokenIds.includes(event.tokenId ?? '')

/** The id of an event, as receivers get it. */
export const eventIdOf = ({ id }: Pick<ToldEvent, 'id'>): string => id.replace(/^log_/, 'evt_')

/** The body that is sent, up to the number of the delivery and the brace behind it. */
export function bodyOf({ type, at, resourceId, version, accountId }: ToldFields): string {
  const facts = Object.entries({ id: resourceId, version, accountId })
  const data = Object.fromEntries(facts.filter(([, fact]) => fact !== null))
  const body = JSON.stringify({ type, timestamp: toInstant(at), data })
  return `${body.slice(0, -1)},"sequence":`
}

/** The time between two attempts: before the second one, the third one and so on. */
const WAITS = [
  ...[5000, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY],
]

/** The reasons why attempts fail. */
export const FAILURES = ['status', 'redirect', 'timeout', 'network', 'refusedAddress'] as const

/** An answer to an attempt; the status is null where there was none. */
export interface Attempt {
  status: number | null
  reason: (typeof FAILURES)[number] | null
  /** The header `Retry-After`. */
  retryAfter: string | null
}

/**
 * When to try again after so many attempts; null after the last one.
 * @param chance from 0 to 1: so much of a tenth more
 */
export function nextAttemptAt(
  { retryAfter }: Pick<Attempt, 'retryAfter'>,
  { now, attempts, chance }: { now: number; attempts: number; chance: number },
): number | null {
  const wait = WAITS[attempts - 1]
  if (wait === undefined) {
    return null
  }
  const asked = retryAfter === null ? 0 : askedWait(retryAfter, now)
  return now + Math.max(asked, Math.round(wait * (1 + chance / 10)))
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The milliseconds that `Retry-After` asks for, in whole seconds or as a date of HTTP: 24 hours at most, and 0 for all else. */
function askedWait(retryAfter: string, now: number): number {
  const date = HTTP_DATE.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : date - now
  return Number.isNaN(asked) ? 0 : Math.min(asked, DAY)
}

const GONE = 410
const MOST_FAILING = 4 * DAY

/** Why a webhook is to be disabled after an attempt, if it is. @param failingSince the first of the failures in a row */
export const disabledAfter = (
  { status }: Pick<Attempt, 'status'>,
  failingSince: number | null,
  now: number,
): 'gone' | 'failing' | undefined =>
  status === GONE
    ? 'gone'
    : failingSince !== null && now - failingSince >= MOST_FAILING
      ? 'failing'
      : undefined

/** How long a receiver that does not answer at all is left alone: a tenth of the time for which it has failed. */
export const pauseAfter = (failingSince: number, now: number): number =>
  Math.min(Math.max((now - failingSince) / 10, 5000), 5 * MINUTE)

/** True as long as both secrets sign. */
export const isRotating = ({ rotatedAt }: { rotatedAt: number | null }, now: number): boolean =>
  rotatedAt !== null && now < rotatedAt + DAY
