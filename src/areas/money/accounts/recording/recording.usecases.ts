import type { SignedIn } from '../../../../platform/context.ts'
import { type Commit, commit } from '../../../../platform/database.ts'
import { untold } from '../../../../platform/events.ts'
import { unlessRefused } from '../../../../platform/refusals.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { type Draft, prepare, type Ready } from '../../../../ledger/ledger.public.ts'
import { accountBookedOn, type BookableAccount, rememberBooking } from '../accounts.queries.ts'

/** Gives one of the accounts that a draft names. */
type AccountOf = (id: string) => BookableAccount

/** A draft on its way into the ledger. */
export interface Recording<Result> {
  /** What hooks read in the first trip. */
  needs: Statement<unknown[]>[]
  /**
   * Books without reading; undefined where too little is remembered, and for whatever is refused, as that has to be decided by
   * reading.
   */
  asRemembered: () => Promise<Result | undefined>
  /** Books by what was read, and remembers it. */
  asRead: (accounts: BookableAccount[], found: unknown[]) => Promise<Result>
}

/** Records one draft on these accounts, as `decide` says once hooks have said more of it. */
export function recordingOf<Input extends Draft, Result>(
  ctx: SignedIn,
  draft: Input,
  accountIds: string[],
  decide: (accountOf: AccountOf, ready: Ready<Input>) => Commit<Result>,
): Recording<Result> {
  const { needs, ready, remembered, remember } = prepare(ctx, [draft])
  const decided = (accounts: BookableAccount[], found: unknown[]) =>
    decide(finderIn(accounts), ready(found)(draft))
  return {
    needs,
    asRemembered: () =>
      unlessRefused(async () => {
        const accounts = accountIds.flatMap((id) => accountBookedOn(ctx, id) ?? [])
        if (accounts.length < accountIds.length || !remembered) {
          return undefined
        }
        const change = decided(accounts, remembered.found)
        const changes = [untold(remembered.premises), ...change.changes]
        return commit(ctx, { ...change, changes })
      }),
    asRead: async (accounts, found) => {
      const result = await commit(ctx, decided(accounts, found))
      for (const account of accounts) {
        rememberBooking(ctx, account)
      }
      remember(found)
      return result
    },
  }
}

const finderIn =
  (accounts: BookableAccount[]): AccountOf =>
  (wanted) => {
    const account = accounts.find(({ id }) => id === wanted)
    if (!account) {
      throw new Error('recordingOf: an account is missing that the draft names')
    }
    return account
  }
