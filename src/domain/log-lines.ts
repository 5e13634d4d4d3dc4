// A segment of the log has a line of JSON for each commit, with its events and its seal as the tables have them.

export interface LoggedCommit {
  number: number
  id: string
  at: number
  operation: string
  type: string
  actorType: string
  actorId: string | null
  tokenId: string | null
  ownerId: string | null
  requestId: string
  ip: string | null
  userAgent: string | null
  /** Its events have numbers in a row, and follow on those of the commit before. */
  firstEvent: number
  eventCount: number
}

/** An event as it is stored: fields that repeat the commit are null here. */
export interface EventOfCommit {
  commitNumber: number
  type: string | null
  resourceType: string | null
  resourceId: string | null
  ownerId: string | null
  accountId: string | null
  history: number | null
  groupId: string | null
  version: number | null
  content: string | null
  facts: string | null
}

export interface Seal {
  number: number
  contentHash: string
  hash: string
  keyId: string
}

export interface LogLine {
  commit: LoggedCommit
  events: EventOfCommit[]
  seal: Seal
}

export const toText = (lines: LogLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isLine(value: unknown): value is LogLine {
  const { commit, events, seal }: Partial<Record<keyof LogLine, unknown>> = isObject(value)
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
export function fromText(text: string): LogLine[] | null {
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

const DOWNLOADED = 'file.downloaded'

/** Returns the tag by which downloads are found in segments: those of everybody, or of one user. */
export const downloadsOf = (userId?: string): string =>
  userId === undefined ? DOWNLOADED : `${DOWNLOADED} ${userId}`

/** All that a commit is found by in segments: what it names, whatever as. */
export const thingsIn = ({ commit, events }: LogLine): string[] => [
  ...new Set(
    [
      ...[commit.ownerId, commit.actorId],
      ...events.flatMap(({ resourceId, ownerId, accountId, groupId }) => [
        ...[resourceId, ownerId, accountId, groupId],
      ]),
      ...(commit.type === DOWNLOADED ? [downloadsOf(), downloadsOf(commit.actorId ?? '')] : []),
    ].filter((id): id is string => Boolean(id)),
  ),
]
