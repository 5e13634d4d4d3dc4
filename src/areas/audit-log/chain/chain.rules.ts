/** The commits that seal: what only they have left in the log waits for something else to be sealed with. */
export const SEALED = 'auditLog.sealed'

/** What makes hashes that only whoever has the key can make. */
export interface Prover {
  keyId: string
  prove: (text: string) => Promise<string>
}

export interface LoggedRow {
  id: string
  /** Its place in the log. */
  sequence: number
  at: number
  action: string
  actorType: string
  actorId: string | null
  tokenId: string | null
  ownerId: string | null
  resourceType: string
  resourceId: string | null
  accountId: string | null
  bookedOn: string | null
  groupId: string | null
  changes: string | null
  facts: string | null
  requestId: string
  ip: string | null
  userAgent: string | null
}

export interface LoggedItem {
  logId: string
  resourceId: string
  changes: string
}

/** A row with its items, in the order of what they are about. */
export interface Logged {
  row: LoggedRow
  items: LoggedItem[]
}

export interface Link {
  number: number
  logId: string
  contentHash: string
  hash: string
  keyId: string
}

export const isOfSealing = ({ action, actorType }: LoggedRow): boolean =>
  action === SEALED && actorType === 'system'

export const withItems = (rows: LoggedRow[], items: LoggedItem[]): Logged[] => {
  const itemsOf = Map.groupBy(items, ({ logId }) => logId)
  return rows.map((row) => ({ row, items: itemsOf.get(row.id) ?? [] }))
}

/** How much was downloaded is no word of anybody's: it stays when a user is erased. */
const keptFacts = ({ action, facts }: LoggedRow) => (action === 'file.downloaded' ? facts : null)
const goingFacts = ({ action, facts }: LoggedRow) => (action === 'file.downloaded' ? null : facts)

// What is hashed is JSON of a list, as no two lists have the same. Each says of which row it is, so that equal
// content does not show in equal hashes.

/** What goes when its owner is erased. */
const toldIn = ({ row, items }: Logged) =>
  JSON.stringify(['told', row.id, row.changes, goingFacts(row), items.map((item) => item.changes)])

/** What goes when its owner or who did it is erased. */
const originOf = ({ row }: Logged) => JSON.stringify(['origin', row.id, row.ip, row.userAgent])

/** What stays of a row for ever, with its place and what came before it. */
const fixedOf = ({ row, items }: Logged, previous: string, link: Omit<Link, 'hash'>) =>
  JSON.stringify([
    'row',
    previous,
    link.number,
    row.id,
    row.at,
    row.action,
    row.actorType,
    row.actorId,
    row.tokenId,
    row.ownerId,
    row.resourceType,
    row.resourceId,
    row.accountId,
    row.bookedOn,
    row.groupId,
    keptFacts(row),
    row.requestId,
    items.map(({ resourceId }) => resourceId),
    link.contentHash,
  ])

/** The last link there is. */
export type Head = Pick<Link, 'number' | 'hash'>

export const NO_HEAD: Head = { number: 0, hash: '' }

/** The links that come after `head`. */
export async function linksAfter(
  { number, hash }: Head,
  logged: Logged[],
  { keyId, prove }: Prover,
): Promise<Link[]> {
  const links: Link[] = []
  let previous = hash
  for (const [at, one] of logged.entries()) {
    const contentHash = `${await prove(toldIn(one))}.${await prove(originOf(one))}`
    const unhashed = { number: number + at + 1, logId: one.row.id, contentHash, keyId }
    previous = await prove(fixedOf(one, previous, unhashed))
    links.push({ ...unhashed, hash: previous })
  }
  return links
}

/** What may be wrong with the chain or the log. */
export const REASONS = [
  'linkMissing',
  'entryMissing',
  'entryAdded',
  'outOfOrder',
  'unknownKey',
  'entryChanged',
  'contentChanged',
] as const

export type Reason = (typeof REASONS)[number]

/** A link with what it seals, as they are stored now. */
export interface Sealed {
  link: Link
  /** Null where the log has it no more. */
  logged: Logged | null
  ownerErased: boolean
  actorErased: boolean
}

export interface Walk {
  /** How many links were found to be right, one after the other. */
  verified: number
  /** How many of them stand for rows of which something was taken out. */
  redacted: number
  /** The first that is not right. */
  broken: { number: number; logId: string | null; reason: Reason } | null
}

interface Way {
  /** The number of the first link to look at; the one before it is known to be right. */
  from: number
  /** The first row of the log that stands among the others, and has no link. */
  added: { id: string; sequence: number } | undefined
  proverOf: Map<string | undefined, Prover | null>
}

/** Follows links in the order of their numbers, beginning with the one before `from`. */
export async function walkAlong(sealed: Sealed[], { from, added, proverOf }: Way): Promise<Walk> {
  const walk: Walk = { verified: 0, redacted: 0, broken: null }
  let previous = { hash: '', sequence: 0 }
  for (const [at, one] of sealed.entries()) {
    const { link, logged } = one
    const number = Math.max(from - 1, 1) + at
    const stop = (reason: Reason, logId: string | null = link.logId): Walk => ({
      ...walk,
      broken: { number, logId, reason },
    })
    if (link.number !== number) {
      return stop('linkMissing', null)
    }
    if (number >= from) {
      if (added && logged && added.sequence < logged.row.sequence) {
        return stop('entryAdded', added.id)
      }
      const found = await examine(one, previous, proverOf.get(link.keyId) ?? null)
      if (found !== 'whole' && found !== 'redacted') {
        return stop(found)
      }
      walk.verified += 1
      walk.redacted += found === 'redacted' ? 1 : 0
    }
    previous = { hash: link.hash, sequence: logged?.row.sequence ?? 0 }
  }
  return walk
}

/** Whether a link proves its row, and whether some of that was taken out since. */
export async function examine(
  { link, logged, ownerErased, actorErased }: Sealed,
  previous: { hash: string; sequence: number },
  prover: Prover | null,
): Promise<Reason | 'whole' | 'redacted'> {
  if (!logged) {
    return 'entryMissing'
  }
  const { row, items } = logged
  if (row.sequence <= previous.sequence) {
    return 'outOfOrder'
  }
  if (!prover) {
    return 'unknownKey'
  }
  if ((await prover.prove(fixedOf(logged, previous.hash, link))) !== link.hash) {
    return 'entryChanged'
  }
  const [told, origin] = link.contentHash.split('.')
  const isTold = (await prover.prove(toldIn(logged))) === told
  const hasOrigin = (await prover.prove(originOf(logged))) === origin
  const tellsNothing =
    row.changes === null &&
    goingFacts(row) === null &&
    items.every(({ changes }) => changes === '{}')
  const mayTellNothing = isTold || (ownerErased && tellsNothing)
  const comesFromNowhere = row.ip === null && row.userAgent === null
  const mayComeFromNowhere = hasOrigin || ((ownerErased || actorErased) && comesFromNowhere)
  if (!mayTellNothing || !mayComeFromNowhere) {
    return 'contentChanged'
  }
  return isTold && hasOrigin ? 'whole' : 'redacted'
}
