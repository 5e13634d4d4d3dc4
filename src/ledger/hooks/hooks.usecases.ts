import type { Kind, Leg, Status } from '../../domain/ledger.ts'
import type { Ruling } from '../../domain/rules/decide.ts'
import type { RuleField } from '../../domain/rules/target.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import type { Change } from '../../platform/log/events.ts'
import type { Refusal } from '../../platform/database/refusals.ts'
import type { Statement } from '../../platform/database/statements.ts'
import type { Whole } from '../books/matched.queries.ts'
import type { LabelField } from '../journal/relabelling.rules.ts'
import type { LabelErrors } from '../labels/bookable.queries.ts'
import type { BookedLines } from '../labels/labels.queries.ts'
import type { AccountLocks } from '../locks/locks.rules.ts'
import type { Header, LedgerRow } from '../rows/rows.queries.ts'
import type { DraftPart, NamingDraft } from './names.rules.ts'

/** A change in a commit of the journal, either of one transaction or of the labels of many. */
export type Movement = TransactionMovement | LabelMovement

/** A change of one transaction. */
export interface TransactionMovement {
  what:
    | ('booked' | 'amended' | 'discarded' | 'restored')
    /** While it was booked, and for good. What is in the trash already is erased without a movement. */
    | 'erased'
    /** Others take its place: a transfer that of two rows, two rows that of a transfer, a row that of its duplicate. */
    | ('matched' | 'unmatched' | 'merged')
  id: string
  /** The transaction as it was booked; undefined where it was not. */
  before?: Whole
  /** The transaction as it is booked afterwards; undefined where it is not. */
  after?: Whole
  /** The transactions that replace it. Everything attached to it moves to the first. */
  into?: string[]
  /** The accounts that it is changed on. */
  accountIds: string[]
  /** The kind of change: money moves, its meaning changes, or only words and labels change. */
  change: 'money' | 'meaning' | 'words'
}

/**
 * The effect on many transactions when a category, payee or tag is merged, deleted or restored: labels are replaced,
 * added or removed, and no money moves. It exists also where nothing has the label.
 */
export interface LabelMovement {
  what: 'relabelled'
  field: LabelField
  /** The labels that go. */
  from: string[]
  /** The label that comes; null where none does. */
  to: string | null
  /** It comes back from the trash to where others took its place. */
  isReturn?: true
  /** The booked lines that change. There may be thousands. */
  lines: BookedLines
}

/** Selects the movements of single transactions. */
export const ofTransactions = (movements: Movement[]): TransactionMovement[] =>
  movements.filter((one) => one.what !== 'relabelled')

/** Selects the movements of labels. */
export const ofLabels = (movements: Movement[]): LabelMovement[] =>
  movements.filter((one) => one.what === 'relabelled')

/** The errors with which an operation tells what a hook refuses. */
export interface PostingErrors {
  /** The caller does not see an account. */
  gone: Refusal
  /** An account is closed. */
  closed: Refusal
  /** True if the caller sent `force`, which locks ask for. */
  force?: boolean | undefined
  /** The field that a lock refuses; the date if left out. */
  lockedField?: string
  /** It would be less than what is linked with it. */
  linked?: Refusal
  /** The rule sets of accounts that the caller remembers; another one refuses the booking. */
  ruleSets?: Record<string, number>
  /** Errors for chosen labels that are not the owner's, are archived, or are of another kind. */
  labels?: LabelErrors
}

type Statements = (ctx: Context, movements: Movement[], errors: PostingErrors) => Statement[]

/** The fields of a transaction that a hook may fill in where the request leaves them out. */
interface Wording {
  description?: string | undefined
  payeeId?: string | null | undefined
  categoryId?: string | null | undefined
  tagIds?: string[] | undefined
  note?: string | null | undefined
  status?: Status | undefined
  reviewed?: boolean | undefined
  metadata?: Record<string, unknown> | null | undefined
  /** None of a transfer. They take the place of the category of the whole. */
  splits?: DraftPart[] | undefined
}

/** A transaction that somebody asks to record, before anything is decided. */
export interface Draft extends Wording, NamingDraft {
  readonly kind: Kind
  /** A transfer's is the account that pays. Undefined where its name says which. */
  readonly accountId?: string | undefined
  readonly accountName?: string | undefined
  readonly date: string
  /** Decimal text. */
  readonly amount: string
  readonly payeeRaw?: string | null | undefined
  /** A request's is `user` or left out. */
  readonly source?: Header['source'] | undefined
  readonly private?: boolean | undefined
  /** The other half is there, so that no hook makes it a transfer. */
  readonly isHalf?: boolean | undefined
  /** False where the request leaves rules and usual categories out. */
  readonly applyRules?: boolean | undefined
  /** The fields that rules leave as they are, because there was no room for what they made of them. */
  readonly noRoomFor?: readonly RuleField[] | undefined
}

/** A draft whose account is known. */
export type PlacedDraft = Draft & {
  readonly accountId: string
  readonly ownerId: string
  readonly currency: string
  /** The number of the rules of its owner, as the account was read or is remembered. */
  readonly ruleSet?: number | undefined
}

/** The fields that a hook adds to a transaction. */
export interface HookAdditions extends Wording {
  /** The categories of an income that are of the kind `expense`. A hook that sets a category says it, too. */
  expenseCategoryIds?: string[]
  /** Facts for the log: they stand in the events of the transaction. */
  facts?: Record<string, unknown>
}

/** Changes of a hook's own area, which are committed if the draft is booked, or the edit is done. */
interface OwnChanges {
  changes?: Change[]
}

/** An account as a hook has read it for the caller. */
export interface TransferAccount extends AccountLocks, Pick<Leg, 'ownerId' | 'currency'> {
  status: 'open' | 'closed'
}

export interface Prepared extends HookAdditions, OwnChanges, Pick<NamingDraft, 'fee' | 'fees'> {
  /** Books a transfer to this account, or from it, in place of an expense or income. Where that cannot be, the draft stays as it is. */
  transferAccount?: TransferAccount | undefined
  /** Tells what rules made of the draft, for those who ask before anything is recorded. */
  ruling?: () => Ruling
  /** True if the request named these labels. Other labels never refuse a booking by being archived. */
  isNamed?: true
}

/** The fields that the request for an edit sends: undefined where it says nothing, and null where it clears. */
export interface SentFields extends Wording {
  kind?: Kind | undefined
  date?: string | undefined
  /** Decimal text. */
  amount?: string | undefined
  /** The account that a transaction moves to. */
  accountId?: string | undefined
  payeeRaw?: string | null | undefined
  reviewed?: boolean | undefined
  private?: boolean | undefined
}

/** A change of a stored transaction that somebody asks for, before it is decided. */
export interface Edit {
  /** The side of the transaction that the request names, as it is booked; of a whole transfer the leg that pays. */
  readonly before: LedgerRow
  readonly sent: Readonly<SentFields>
  /** The side after the edit, with the additions of earlier hooks. */
  readonly after: LedgerRow
}

/** The reads of a hook in the first trip, and its decision for each draft or edit by what they found. */
interface Consultation<Row, Asked, Answer> {
  /** Makes the finder, as most bookings need none where results are remembered; left out where there is nothing to read. */
  needs?: (() => Statement<Row[]>) | undefined
  /** @returns a function of what is asked, with what earlier hooks said, and of what was sent */
  decide: (rows: Row[]) => (asked: Asked, sent: Asked) => Answer
}

export type EditPreparation<Row = unknown> = Consultation<Row, Edit, HookAdditions & OwnChanges>

export interface Preparation<Row = unknown> extends Consultation<Row, PlacedDraft, Prepared> {
  /** Gives what finds what `decide` lacked: once it is read, beside the other rows, all drafts are decided again. */
  missing?: () => Consultation<Row, PlacedDraft, Prepared>['needs']
  /** Remembered results that replace the reads, with premises that they still hold; undefined if it has to read. */
  remembered?: Remembered<Row> | undefined
  /** Keeps what it read, once something was booked by it. */
  remember?: (rows: Row[]) => void
}

interface Remembered<Row> {
  rows: Row[]
  premises: Statement[]
}

/** Makes a preparation of a finder and of what goes by its rows. */
export const preparation = <Row>(one: Preparation<Row>): Preparation =>
  one as unknown as Preparation

/** Makes a preparation of edits, likewise. */
export const editPreparation = <Row>(one: EditPreparation<Row>): EditPreparation =>
  one as unknown as EditPreparation

/** An area's addition to every change of transactions. */
export interface LedgerHook {
  /** Says more of what is recorded, in words: pure but for the rows that it asks for. */
  prepare?: (ctx: SignedIn, drafts: Draft[]) => Preparation
  /**
   * Says more of what somebody edits, likewise. Its finder runs in the trip that reads the transactions, so it does not know
   * their owners.
   * @param transactionIds undefined where a filter selects them
   */
  prepareEdit?: (ctx: SignedIn, transactionIds: string[] | undefined) => EditPreparation
  /** Premises, asserted before anything is written. A task has no caller: what it does was allowed to whoever caused it. */
  guard?: Statements
  /**
   * Statements, with their premises, for everything attached to the transactions. They run after the transactions are
   * written.
   */
  follow?: Statements
  /** True if `follow` has nothing to do in a commit that only books new transactions: nothing is attached to them. */
  followsStored?: true
}

let registered: readonly LedgerHook[] | undefined

/** Sets the hooks of all areas, in the order in which their statements stand in a batch. */
export function registerHooks(hooks: readonly LedgerHook[]): void {
  registered = hooks
}

export function hooksOf(): readonly LedgerHook[] {
  // Nothing is booked without its guards, wherever the journal is called from.
  if (!registered) {
    throw new Error('no hooks of the ledger are registered')
  }
  return registered
}

export const guardsOf: Statements = (...change) =>
  hooksOf().flatMap(({ guard }) => guard?.(...change) ?? [])

export const followsOf: Statements = (ctx, movements, errors) => {
  const isAllNew = movements.every(({ what }) => what === 'booked')
  return hooksOf().flatMap(({ follow, followsStored }) =>
    isAllNew && followsStored ? [] : (follow?.(ctx, movements, errors) ?? []),
  )
}
