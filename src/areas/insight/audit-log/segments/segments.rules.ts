import { addMonths, dateInZone, firstOfMonth, toInstant } from '../../../../domain/calendar.ts'
import type { Logged, Seal, Sealed } from '../chain/chain.rules.ts'

/** Whole months that the log has in the database alone, beside the present one. */
const MONTHS_KEPT = 13

const startOfMonth = (at: number, months: number): number =>
  Date.parse(addMonths(firstOfMonth(dateInZone(at, 'UTC')), months))

/** The beginning of the oldest month that is not stored in segments. */
export const endOfOld = (now: number): number => startOfMonth(now, -MONTHS_KEPT)

/** The key of an object, under the month of its first commit. */
export const keyOf = (at: number, id: string): string => `log/${toInstant(at).slice(0, 7)}/${id}`

interface Bounds {
  /** The number of its first commit. */
  from: number
  /** The number of a commit that another segment begins with. */
  before: number | null
  /** When what is old ends. */
  until: number
}

/** Of sealed commits in a row those that are one segment: of one month, and old. */
export function cutSegment(sealed: Sealed[], { from, before, until }: Bounds): Sealed[] {
  const found = sealed.filter(({ seal }) => seal.number >= from)
  const at = found[0]?.logged?.commit.at ?? until
  const end = Math.min(startOfMonth(at, 1), until)
  const isBeyond = ({ seal, logged }: Sealed) =>
    seal.number >= (before ?? Infinity) || (logged !== null && logged.commit.at >= end)
  const size = found.findIndex(isBeyond)
  return size === -1 ? found : found.slice(0, size)
}

/** What a segment has of a commit, in a line of its own. */
export interface Line extends Logged {
  seal: Seal
}

export const linesOf = (sealed: Sealed[]): Line[] =>
  sealed.flatMap(({ seal, logged }) => (logged ? [{ ...logged, seal }] : []))

export const toText = (lines: Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isLine(value: unknown): value is Line {
  const { commit, events, seal }: Partial<Record<keyof Line, unknown>> = isObject(value)
    ? value
    : {}
  const hashes = isObject(seal) ? Object.values(seal) : []
  return (
    isObject(commit) &&
    hashes.every((hash) => hash !== null) &&
    hashes.length === 4 &&
    Array.isArray(events) &&
    events.every(isObject)
  )
}

/** The lines of a text; null where it has others. */
export function fromText(text: string): Line[] | null {
  try {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    return lines.every(isLine) ? lines : null
  } catch {
    return null
  }
}

const isThere = (value: unknown) => value !== null

const isSaid = ({ commit }: Logged, { content, facts }: Logged['events'][number]) =>
  isThere(content) || (isThere(facts) && commit.type !== 'file.downloaded')

/** The users of whom something is said here that goes when they are erased, as `eventsTellingOf` finds it. */
export function usersToldOf(lines: Line[]): string[] {
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

/** All users whom these commits name as owner or actor. */
export const usersIn = (lines: Line[]): string[] => [
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

/** How many values there are of those that a redaction removes. */
export const countOfValues = (lines: Line[]): number =>
  lines
    .flatMap(({ commit, events }) => [
      ...[commit.ip, commit.userAgent],
      ...events.flatMap(({ content, facts }) => [content, facts]),
    ])
    .filter(isThere).length

/** The lines as they are verified, behind the seal before them. */
export function asSealed(lines: Line[], previousHash: string, erased: Set<string>): Sealed[] {
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
