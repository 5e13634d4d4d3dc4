import {
  type Image,
  imageFrom,
  type LoggedImage,
  type PartSnapshot,
  type Snapshot,
} from '../../../../ledger/ledger.public.ts'
import type { Moved } from '../../../../ledger/labels/labels.public.ts'

/** The entry in the log of one event about one transaction. */
export interface LoggedChange {
  id: string
  /** Grows with every event, as ids do not within a moment. */
  sequence: number
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  /** Null in rows of an earlier log. */
  accountId: string | null
  /** 1 where it was forced upon a period lock. */
  isForcedOnLock: number
  /** JSON; empty where the reader may know nothing of it. */
  content: string
}

/** A transaction whose history is told, and whoever reads it. */
export interface HistoryViewer {
  transactionId: string
  line: number
  /** Currencies of the accounts whose past the reader may know, by their ids. */
  currencies: ReadonlyMap<string, string>
  /** Whether the transaction is the reader's own, or its booking is. */
  isOwn: boolean
  /** Whether the reader may know of some of the own accounts only. */
  isRestricted: boolean
  originalCurrency: string | null
}

/** With the account where that differs. */
export type Fields = Partial<Snapshot> & { accountId?: string }

interface Content {
  before?: Fields
  after?: Fields
  private?: true
  forced?: true
}

/** The form of earlier logs: whole transactions or, for changes of many, the labels that moved. */
type EarlierContent = LoggedImages | Moved

interface LoggedImages {
  before?: LoggedImage
  after?: LoggedImage
  forced?: true
}

/** One event, as far as the reader may know of it. */
export type Version = LoggedChange & { forced: boolean; reader: HistoryViewer } & (
    | { kind: 'change'; before: Fields | undefined; after: Fields | undefined; currencies: Sides }
    | { kind: 'images'; before: Image | undefined; after: Image | undefined }
    | { kind: 'moved'; moved: Moved }
  )

/** The currencies of the account before and after. */
interface Sides {
  before: string | null
  after: string | null
}

/**
 * Reads what the log says of a change. While a transaction was on an account that the reader does not know, or private
 * to somebody else, nothing is told of it.
 */
export function versionOf(change: LoggedChange, reader: HistoryViewer): Version {
  const content = JSON.parse(change.content) as Content | EarlierContent
  if ('field' in content) {
    // It does not say on which account the transaction was then.
    const isTold = reader.isOwn && !reader.isRestricted
    const moved = isTold ? content : { ...content, from: {} }
    return { ...change, reader, kind: 'moved', moved, forced: false }
  }
  return isEarlier(content)
    ? { ...change, reader, kind: 'images', ...imagesKnown(content, reader) }
    : { ...change, reader, kind: 'change', ...fieldsKnown(change, content, reader) }
}

const isEarlier = (content: Content | EarlierContent): content is LoggedImages =>
  ('before' in content && !!content.before && 'entries' in content.before) ||
  ('after' in content && !!content.after && 'entries' in content.after)

function imagesKnown(logged: LoggedImages, { line, currencies, isOwn }: HistoryViewer) {
  const known = (kept: LoggedImage | undefined): Image | undefined => {
    const image = kept && imageFrom(kept)
    const entries = image?.entries.filter(({ accountId }) => currencies.has(accountId)) ?? []
    return image && (isOwn || !image.private) && entries.some((entry) => entry.line === line)
      ? { ...image, entries }
      : undefined
  }
  const [before, after] = [known(logged.before), known(logged.after)]
  return { before, after, forced: logged.forced === true && (before ?? after) !== undefined }
}

function fieldsKnown(
  { accountId, isForcedOnLock }: LoggedChange,
  { before, after, private: isPrivate, forced }: Content,
  { currencies, isOwn }: HistoryViewer,
) {
  const now = accountId ?? ''
  const was = before?.accountId ?? now
  const isTold = (id: string) => currencies.has(id) && (isOwn || !isPrivate)
  const isHidden = (id: string | undefined) => id === undefined || !currencies.has(id)
  const withoutHidden = ({ counterAccountId, ...part }: PartSnapshot): PartSnapshot => ({
    ...part,
    ...(isHidden(counterAccountId) ? {} : { counterAccountId }),
  })
  const known = (fields: Fields | undefined): Fields | undefined => {
    if (!fields) {
      return undefined
    }
    const { counterAccountId, splits, ...rest } = fields
    return {
      ...rest,
      ...(isHidden(counterAccountId) ? {} : { counterAccountId }),
      ...(splits ? { splits: splits.map(withoutHidden) } : {}),
    }
  }
  return {
    before: isTold(was) ? known(before) : undefined,
    after: isTold(now) ? known(after) : undefined,
    forced: (forced === true || isForcedOnLock === 1) && (isTold(was) || isTold(now)),
    currencies: { before: currencies.get(was) ?? null, after: currencies.get(now) ?? null },
  }
}
