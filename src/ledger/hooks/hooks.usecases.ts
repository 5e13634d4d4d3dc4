import type { Context } from '../../platform/context.ts'
import type { Refusal } from '../../platform/refusals.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Whole } from '../books/matched.queries.ts'

/** What happens to one transaction in a commit of the journal. */
export interface Movement {
  what:
    | ('booked' | 'amended' | 'discarded' | 'restored')
    /** While it was booked, and for good. What is in the trash already is erased without a movement. */
    | 'erased'
    /** Others take its place: a transfer that of two rows, two rows that of a transfer, a row that of its duplicate. */
    | ('matched' | 'unmatched' | 'merged')
  id: string
  /** As it was booked; undefined where it was not. */
  before?: Whole
  /** As it is booked afterwards; undefined where it is not. */
  after?: Whole
  /** What takes its place: what hangs on it goes to the first. */
  into?: string[]
  /** The accounts that it is changed on. */
  accountIds: string[]
  /** Whether money moves, or is said to be something else, or words and labels change alone. */
  change: 'money' | 'meaning' | 'words'
}

/** How an operation tells what a hook refuses. */
export interface PostingErrors {
  /** The caller does not see an account. */
  gone: Refusal
  /** An account is closed. */
  closed: Refusal
  /** It would be less than what is linked with it. */
  linked?: Refusal
}

type Statements = (ctx: Context, movements: Movement[], errors: PostingErrors) => Statement[]

/** What an area adds to every change of transactions, in the batch of that change. */
export interface LedgerHook {
  /** Premises, asserted before anything is written. A task has no caller: what it does was allowed to whoever caused it. */
  guard?: Statements
  /** What becomes of that which hangs on the transactions, once they are written, with the premises of that. */
  follow?: Statements
}

let registered: readonly LedgerHook[] | undefined

/** Sets the hooks of all areas, in the order in which their statements stand in a batch. */
export function registerHooks(hooks: readonly LedgerHook[]): void {
  registered = hooks
}

function hooksOf(): readonly LedgerHook[] {
  // Nothing is booked without its guards, wherever the journal is called from.
  if (!registered) {
    throw new Error('no hooks of the ledger are registered')
  }
  return registered
}

export const guardsOf: Statements = (...change) =>
  hooksOf().flatMap(({ guard }) => guard?.(...change) ?? [])

export const followsOf: Statements = (...change) =>
  hooksOf().flatMap(({ follow }) => follow?.(...change) ?? [])
