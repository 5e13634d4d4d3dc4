import { addMonths, dateInZone, firstOfMonth, toInstant } from '../../../../domain/calendar.ts'
import { type EventOfCommit, type LogLine, thingsIn } from '../../../../domain/log-lines.ts'
import type { CommitWithEvents, Sealed } from '../chain/chain.rules.ts'

/** Whole months that the log has in the database alone, beside the present one. */
const MONTHS_KEPT = 13

const startOfMonth = (at: number, months: number): number =>
  Date.parse(addMonths(firstOfMonth(dateInZone(at, 'UTC')), months))

/** The beginning of the oldest month that is not stored in segments. */
export const endOfOld = (now: number): number => startOfMonth(now, -MONTHS_KEPT)

/** The key of an object, under the month of its first commit. */
export const segmentKey = (at: number, id: string): string =>
  `log/${toInstant(at).slice(0, 7)}/${id}`

interface Bounds {
  /** The number of its first commit. */
  from: number
  /** The number of a commit that another segment begins with. */
  before: number | null
  /** When what is old ends. */
  until: number
}

/** Returns the sealed commits at the beginning that form one segment: of one month, and old. */
export function cutSegment(sealed: Sealed[], { from, before, until }: Bounds): Sealed[] {
  const found = sealed.filter(({ seal }) => seal.number >= from)
  const at = found[0]?.logged?.commit.at ?? until
  const end = Math.min(startOfMonth(at, 1), until)
  const isBeyond = ({ seal, logged }: Sealed) =>
    seal.number >= (before ?? Infinity) || (logged !== null && logged.commit.at >= end)
  const size = found.findIndex(isBeyond)
  return size === -1 ? found : found.slice(0, size)
}

export const linesOfCommits = (sealed: Sealed[]): LogLine[] =>
  sealed.flatMap(({ seal, logged }) => (logged ? [{ ...logged, seal }] : []))

const isThere = (value: unknown) => value !== null

const isSaid = (
  { commit }: CommitWithEvents,
  { content, facts }: CommitWithEvents['events'][number],
) => isThere(content) || (isThere(facts) && commit.type !== 'file.downloaded')

/** The users of whom something is said here that goes when they are erased, as `eventsTellingOf` finds it. */
export function usersOfLines(lines: LogLine[]): string[] {
  const found = lines.flatMap((line) => {
    const { commit, events } = line
    const hasOrigin = isThere(commit.ip) || isThere(commit.userAgent)
    return [
      ...(hasOrigin ? [commit.ownerId, commit.actorId] : []),
      ...events
        .filter((event) => isSaid(line, event))
        .map(({ ownerId }) => ownerId ?? commit.ownerId),
    ]
  })
  return [...new Set(found)].filter((id): id is string => Boolean(id))
}

interface Span {
  firstEvent: number
  lastEvent: number
  firstAt: number
  lastAt: number
  firstDate: string | null
  lastDate: string | null
}

/**
 * Returns the range of commits in a row: their events, their times and the dates that those count for.
 * @param lastAt the latest time in the segments before
 */
export function rangeOfCommits(lines: LogLine[], lastAt: number): Span {
  const times = lines.map(({ commit }) => commit.at)
  const dates = lines.flatMap(({ events }) => events.flatMap(dateOf)).toSorted()
  const [first, last] = [lines[0]?.commit, lines.at(-1)?.commit]
  return {
    firstEvent: first?.firstEvent ?? 0,
    lastEvent: last ? last.firstEvent + last.eventCount - 1 : 0,
    firstAt: Math.min(...times),
    lastAt: Math.max(lastAt, ...times),
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
  }
}

/** The date that an event of an account's history counts for. */
function dateOf({ history, facts }: EventOfCommit): string[] {
  const { date } = (history === null || facts === null ? {} : JSON.parse(facts)) as {
    date?: unknown
  }
  return typeof date === 'string' ? [date] : []
}

/** All that these commits name. */
export const allThingsIn = (lines: LogLine[]): string[] => [...new Set(lines.flatMap(thingsIn))]

/** A line without what goes when a user is erased, as `redactEvents` removes it from the tables. */
export function redacted({ commit, events, seal }: LogLine, userId: string): LogLine {
  const isTheirs = commit.ownerId === userId || commit.actorId === userId
  const isDownload = commit.type === 'file.downloaded'
  return {
    commit: isTheirs ? { ...commit, ip: null, userAgent: null } : commit,
    events: events.map((event) =>
      (event.ownerId ?? commit.ownerId) === userId
        ? { ...event, content: null, facts: isDownload ? event.facts : null }
        : event,
    ),
    seal,
  }
}

/** Events that one statement deletes at most, unless one commit has more. */
const EVENTS_PER_STEP = 200

/** The numbers of the next commits that one statement deletes. */
export function stepOf(commits: { number: number; events: number }[]): number[] {
  let events = 0
  return commits
    .filter((commit, at) => {
      events += commit.events
      return at === 0 || events <= EVENTS_PER_STEP
    })
    .map(({ number }) => number)
}

/** All users whom these commits name as owner or actor. */
export const usersIn = (lines: LogLine[]): string[] => [
  ...new Set(
    lines
      .flatMap(({ commit, events }) => [
        commit.ownerId,
        commit.actorId,
        ...events.map(({ ownerId }) => ownerId),
      ])
      .filter((id): id is string => Boolean(id)),
  ),
]

/** Returns the number of values that a redaction would remove. */
export const countOfValues = (lines: LogLine[]): number =>
  lines
    .flatMap(({ commit, events }) => [
      ...[commit.ip, commit.userAgent],
      ...events.flatMap(({ content, facts }) => [content, facts]),
    ])
    .filter(isThere).length

/** The lines as they are verified, behind the seal before them. */
export function asSealed(lines: LogLine[], previousHash: string, erased: Set<string>): Sealed[] {
  const first = lines[0]?.seal
  const isErased = (id: string | null) => id !== null && erased.has(id)
  const before = first && { ...first, number: first.number - 1, hash: previousHash }
  return [
    ...(before && before.number > 0
      ? [{ seal: before, logged: null, ownersErased: [], mayLackOrigin: false }]
      : []),
    ...lines.map(({ seal, commit, events }) => ({
      seal,
      logged: { commit, events },
      ownersErased: events.map(({ ownerId }) => isErased(ownerId ?? commit.ownerId)),
      mayLackOrigin: isErased(commit.ownerId) || isErased(commit.actorId),
    })),
  ]
}
