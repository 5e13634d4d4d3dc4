import type { Image, Moved } from '../../ledger/ledger.public.ts'

/** What the log says of one commit about one transaction. */
export interface LoggedChange {
  id: string
  /** Grows with every commit, as ids do not within a moment. */
  sequence: number
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  /** JSON. */
  content: string
}

/** The side of a transaction that a history is told of, and the accounts whose past its reader may know. */
export interface Told {
  transactionId: string
  line: number
  accountIds: ReadonlySet<string>
  /** Whether it was private to somebody else then. */
  isHidden: (image: Image) => boolean
}

/** One commit, as far as the reader may know of it. */
export interface Version extends LoggedChange {
  side: Pick<Told, 'transactionId' | 'line'>
  /** How it was, and how it became; undefined where it was nowhere that the reader knows. */
  before: Image | undefined
  after: Image | undefined
  moved: Moved | undefined
  forced: boolean
}

type Logged = { before?: Image; after?: Image; forced?: true } | Moved

/**
 * Reads what the log says, the last commit first. While a transaction was on an account that the reader does not
 * know, or private to somebody else, nothing is told of it.
 * @param isKnown whether it was on one that the reader knows after the first of these commits
 */
export function versionsOf(
  changes: LoggedChange[],
  { accountIds, isHidden, ...side }: Told,
  isKnown: boolean,
): (Version & { wasKnown: boolean })[] {
  const known = (image: Image | undefined): Image | undefined => {
    const entries = image?.entries.filter(({ accountId }) => accountIds.has(accountId)) ?? []
    return image && !isHidden(image) && entries.some(({ line }) => line === side.line)
      ? { ...image, entries }
      : undefined
  }
  let isKnownNow = isKnown
  return changes.map((change) => {
    const logged = JSON.parse(change.content) as Logged
    if ('field' in logged) {
      const moved = isKnownNow ? logged : undefined
      const told = { before: undefined, after: undefined, moved, forced: false }
      return { ...change, ...told, side, wasKnown: isKnownNow }
    }
    const [before, after] = [known(logged.before), known(logged.after)]
    isKnownNow = (logged.before ? before : after) !== undefined
    const forced = logged.forced === true && (before ?? after) !== undefined
    const told = { before, after, moved: undefined, forced }
    return { ...change, ...told, side, wasKnown: isKnownNow }
  })
}
