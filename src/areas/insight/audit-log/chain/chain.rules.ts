import type { EventOfCommit, LoggedCommit, Seal } from '../../../../domain/log-lines.ts'

/** The commits that seal: what only they have left in the log waits for something else to be sealed with. */
export const SEALED = 'auditLog.sealed'

/** Makes hashes that only a holder of the key can make. */
export interface Prover {
  keyId: string
  prove: (text: string) => string
}

export interface CommitWithEvents {
  commit: LoggedCommit
  events: EventOfCommit[]
}

export const isOfSealing = ({ type, actorType }: LoggedCommit): boolean =>
  type === SEALED && actorType === 'system'

export const withEvents = (
  commits: LoggedCommit[],
  events: EventOfCommit[],
): CommitWithEvents[] => {
  const eventsOf = Map.groupBy(events, ({ commitNumber }) => commitNumber)
  return commits.map((commit) => ({ commit, events: eventsOf.get(commit.number) ?? [] }))
}

/** True for a download. Its size is nobody's personal data, so it stays when a user is erased. */
const isDownload = ({ commit }: CommitWithEvents) => commit.type === 'file.downloaded'

const ownersOf = ({ commit, events }: CommitWithEvents) => [
  ...new Set(events.map(({ ownerId }) => ownerId ?? commit.ownerId ?? '')),
]

const eventsOfOwner = ({ commit, events }: CommitWithEvents, owner: string) =>
  events.filter(({ ownerId }) => (ownerId ?? commit.ownerId ?? '') === owner)

// The hashed text is JSON of a list, because no two lists have the same JSON. Each names its commit, so that equal
// content does not show in equal hashes.

/** Returns the content that goes when its owner is erased: in the order of `ownersOf`, a text for each. */
function contentsIn(logged: CommitWithEvents): string[] {
  const { commit } = logged
  const factsOf = ({ facts }: EventOfCommit) => (isDownload(logged) ? null : facts)
  return ownersOf(logged).map((owner) =>
    JSON.stringify([
      'told',
      commit.id,
      eventsOfOwner(logged, owner).map((event) => [event.content, factsOf(event)]),
    ]),
  )
}

/** Returns the content that goes when its owner or its actor is erased. */
const originOf = ({ commit }: CommitWithEvents) =>
  JSON.stringify(['origin', commit.id, commit.ip, commit.userAgent])

/** Returns the permanent part of a commit, with its place and the previous hash. */
function fixedOf(
  logged: CommitWithEvents,
  previous: string,
  { number, contentHash }: Omit<Seal, 'hash'>,
) {
  const { commit, events } = logged
  const keptFacts = ({ facts }: EventOfCommit) => (isDownload(logged) ? facts : null)
  return JSON.stringify([
    ...['commit', previous, number, commit.id, commit.at, commit.operation, commit.type],
    ...[commit.actorType, commit.actorId, commit.tokenId, commit.ownerId, commit.requestId],
    events.map((event) => [
      ...[event.type, event.resourceType, event.resourceId, event.ownerId, event.accountId],
      ...[event.history, event.groupId, event.version, keptFacts(event)],
    ]),
    contentHash,
  ])
}

/** The last seal there is. */
export type Head = Pick<Seal, 'number' | 'hash'>

export const NO_HEAD: Head = { number: 0, hash: '' }

/** The seals of commits that come after `head`. */
export function sealsAfter(
  { hash }: Head,
  logged: CommitWithEvents[],
  { keyId, prove }: Prover,
): Seal[] {
  const seals: Seal[] = []
  let previous = hash
  for (const one of logged) {
    const parts = [...contentsIn(one), originOf(one)].map(prove)
    const unhashed = { number: one.commit.number, contentHash: parts.join('.'), keyId }
    previous = prove(fixedOf(one, previous, unhashed))
    seals.push({ ...unhashed, hash: previous })
  }
  return seals
}

/** The faults that the chain or the log may have. */
export const CHAIN_FAULTS = [
  'linkMissing',
  'entryMissing',
  'entryAdded',
  'unknownKey',
  'entryChanged',
  'contentChanged',
  'segmentMissing',
  'segmentChanged',
] as const

export type ChainFault = (typeof CHAIN_FAULTS)[number]

/** A seal with its commit, as they are stored now. */
export interface Sealed {
  seal: Seal
  /** Null where the log has it no more. */
  logged: CommitWithEvents | null
  /** True for each event whose owner is erased. */
  ownersErased: boolean[]
  /** True if the owner of the commit or its actor is erased. */
  mayLackOrigin: boolean
}

export interface ChainWalk {
  /** The number of seals in a row that were found to be right. */
  verified: number
  /** The number of them whose commits were redacted. */
  redacted: number
  /** The first that is not right. */
  broken: Broken | null
}

export interface Broken {
  number: number
  logId: string | null
  reason: ChainFault
}

/** A commit, or an event, which has no id of its own, that somebody has put before all others. */
export interface AddedEntry {
  id: string | null
}

interface Route {
  /** The number of the first seal to look at; the one before it is known to be right. */
  from: number
  added: AddedEntry | undefined
  proverOf: Map<string | undefined, Prover | null>
}

/** Follows seals in the order of their numbers, beginning with the one before `from`. */
export function walkAlong(sealed: Sealed[], { from, added, proverOf }: Route): ChainWalk {
  const walk: ChainWalk = { verified: 0, redacted: 0, broken: null }
  let previous = ''
  let nextEvent = from === 1 ? 1 : undefined
  for (const [at, one] of sealed.entries()) {
    const { seal, logged } = one
    const number = Math.max(from - 1, 1) + at
    const stop = (reason: ChainFault, logId = logged?.commit.id ?? null): ChainWalk => ({
      ...walk,
      broken: { number, logId, reason },
    })
    if (added && from === 1) {
      return stop('entryAdded', added.id)
    }
    if (seal.number !== number) {
      return stop('linkMissing', null)
    }
    if (number >= from) {
      const found = examine(one, previous, proverOf.get(seal.keyId) ?? null)
      if (found !== 'whole' && found !== 'redacted') {
        return stop(found)
      }
      // Between the events of two commits stands one that is of neither.
      if (nextEvent !== undefined && logged?.commit.firstEvent !== nextEvent) {
        return stop('entryAdded')
      }
      walk.verified += 1
      walk.redacted += found === 'redacted' ? 1 : 0
    }
    previous = seal.hash
    nextEvent = logged ? logged.commit.firstEvent + logged.commit.eventCount : undefined
  }
  return walk
}

/** Decides if a seal proves its commit, and if the commit was redacted since. */
function examine(
  { seal, logged, ownersErased, mayLackOrigin }: Sealed,
  previous: string,
  prover: Prover | null,
): ChainFault | 'whole' | 'redacted' {
  if (!logged) {
    return 'entryMissing'
  }
  if (!prover) {
    return 'unknownKey'
  }
  const isUnchanged = prover.prove(fixedOf(logged, previous, seal)) === seal.hash
  if (!isUnchanged || logged.events.length !== logged.commit.eventCount) {
    return 'entryChanged'
  }
  const hashes = seal.contentHash.split('.')
  const contentHashes = contentsIn(logged).map(prover.prove)
  const areKept = contentHashes.map((hash, at) => hash === hashes[at])
  const hasOrigin = prover.prove(originOf(logged)) === hashes.at(-1)
  const mayTellNothing = areKept.every((isKept, at) => isKept || isErased(logged, ownersErased, at))
  const { ip, userAgent } = logged.commit
  const mayComeFromNowhere = hasOrigin || (mayLackOrigin && ip === null && userAgent === null)
  if (contentHashes.length !== hashes.length - 1 || !mayTellNothing || !mayComeFromNowhere) {
    return 'contentChanged'
  }
  return areKept.every(Boolean) && hasOrigin ? 'whole' : 'redacted'
}

/** True if no content is left of the events of an erased owner, as `contentsIn` has them. */
function isErased(logged: CommitWithEvents, ownersErased: boolean[], at: number): boolean {
  const owner = ownersOf(logged)[at]
  const { commit } = logged
  return logged.events.every(
    ({ ownerId, content, facts }, place) =>
      (ownerId ?? commit.ownerId ?? '') !== owner ||
      (ownersErased[place] === true && content === null && (facts === null || isDownload(logged))),
  )
}
