import type { PartSnapshot, Snapshot } from '../../../../ledger/ledger.public.ts'

/** The entry in the log of one event about one transaction. */
export interface LoggedChange {
  id: string
  /** Grows with every event, as ids do not within a moment. */
  sequence: number
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  /** Null where the event is about a transfer as a whole. */
  accountId: string | null
  /** 1 where it was forced upon a period lock. */
  isForcedOnLock: number
  /** JSON; empty where the reader may know nothing of it. */
  content: string
}

/** A transaction whose history is shown, and whoever reads it. */
export interface HistoryViewer {
  transactionId: string
  /** Currencies of the accounts whose past the reader may know, by their ids. */
  currencies: ReadonlyMap<string, string>
  /** True if the transaction is the reader's own, or its booking is. */
  isOwn: boolean
  /** True if the account is the reader's own. Others do not learn of its owner's rules. */
  isOwner: boolean
  originalCurrency: string | null
}

/** With the account where that differs. */
export type SnapshotFields = Partial<Snapshot> & { accountId?: string }

interface Content {
  before?: SnapshotFields
  after?: SnapshotFields
  private?: true
  forced?: true
  ruleIds?: string[]
}

/** One event, as far as the reader may know of it. */
export interface Version extends LoggedChange {
  forced: boolean
  /** The rules that filled fields. */
  ruleIds: string[]
  reader: HistoryViewer
  before: SnapshotFields | undefined
  after: SnapshotFields | undefined
  currencies: Sides
}

/** The currencies of the account before and after. */
interface Sides {
  before: string | null
  after: string | null
}

/**
 * Reads what the log says of a change. While a transaction was on an account that the reader does not know, or private
 * to somebody else, nothing is shown of it.
 */
export function versionOf(change: LoggedChange, reader: HistoryViewer): Version {
  const content = JSON.parse(change.content) as Content
  return { ...change, reader, ...fieldsKnown(change, content, reader) }
}

function fieldsKnown(
  { accountId, isForcedOnLock }: LoggedChange,
  { before, after, private: isPrivate, forced, ruleIds = [] }: Content,
  { currencies, isOwn, isOwner }: HistoryViewer,
) {
  const now = accountId ?? ''
  const was = before?.accountId ?? now
  const isVisible = (id: string) => currencies.has(id) && (isOwn || !isPrivate)
  const isHidden = (id: string | undefined) => id === undefined || !currencies.has(id)
  const withoutHidden = ({ counterAccountId, ...part }: PartSnapshot): PartSnapshot => ({
    ...part,
    ...(isHidden(counterAccountId) ? {} : { counterAccountId }),
  })
  const known = (fields: SnapshotFields | undefined): SnapshotFields | undefined => {
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
    before: isVisible(was) ? known(before) : undefined,
    after: isVisible(now) ? known(after) : undefined,
    forced: (forced === true || isForcedOnLock === 1) && (isVisible(was) || isVisible(now)),
    ruleIds: isOwner ? ruleIds : [],
    currencies: { before: currencies.get(was) ?? null, after: currencies.get(now) ?? null },
  }
}
