import { checkAll } from '../../../../domain/errors.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { type Commit, commit } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { unlessRefused } from '../../../../platform/refusals.ts'
import type { Statement } from '../../../../platform/statements.ts'
import {
  type Draft,
  type PlacedDraft,
  prepare,
  type Ready,
} from '../../../../ledger/ledger.public.ts'
import { accountBookedOn, type BookableAccount, rememberBooking } from '../accounts.queries.ts'

/** The accounts of a draft by what they are to it, such as `from` and `to`. */
type Accounts<Role extends string> = Record<Role, BookableAccount>

/** The steps that turn a draft into a change once its accounts are known. */
interface Decision<Input extends Draft, Role extends string, Result> {
  place: (accounts: Accounts<Role>) => Input & PlacedDraft
  /** Decides once hooks have said more of the draft. */
  decide: (accounts: Accounts<Role>, ready: Ready<Input & PlacedDraft>) => Commit<Result>
}

/** A draft on its way into the ledger. */
export interface Recording<Role extends string, Result> {
  /** Reads of hooks in the first trip. */
  needs: Statement<unknown[]>[]
  /**
   * Books without reading; undefined where too little is remembered, and for whatever is refused, as that has to be decided by
   * reading.
   */
  asRemembered: () => Promise<Result | undefined>
  /** Books by what was read, and remembers it. What these checks refuse is told together with what the draft itself is. */
  asRead: (accounts: Accounts<Role>, found: unknown[], ...checks: (() => void)[]) => Promise<Result>
}

/**
 * Records one draft.
 * @param ids of its accounts; undefined for one that has to be found by its name
 */
export function recordingOf<Input extends Draft, Role extends string, Result>(
  ctx: SignedIn,
  draft: Input,
  ids: Record<Role, string | undefined>,
  { place, decide }: Decision<Input, Role, Result>,
): Recording<Role, Result> {
  const { needs, ready, remembered, remember } = prepare(ctx, [draft])
  const decided = (accounts: Accounts<Role>, found: unknown[]) =>
    decide(accounts, ready(found)(place(accounts)))
  return {
    needs,
    asRemembered: () =>
      unlessRefused(async () => {
        const accounts = accountsBookedOn(ctx, ids)
        if (!accounts || !remembered) {
          return undefined
        }
        const change = decided(accounts, remembered.found)
        const changes = [withoutEvents(remembered.premises), ...change.changes]
        return commit(ctx, { ...change, changes })
      }),
    asRead: async (accounts, found, ...checks) => {
      const [change] = checkAll(() => decided(accounts, found), ...checks)
      const result = await commit(ctx, change)
      for (const account of Object.values<BookableAccount>(accounts)) {
        rememberBooking(ctx, account)
      }
      remember(found)
      return result
    },
  }
}

/** Returns the remembered data of these accounts; undefined unless all of them are remembered. */
function accountsBookedOn<Role extends string>(
  ctx: SignedIn,
  ids: Record<Role, string | undefined>,
): Accounts<Role> | undefined {
  const known = Object.entries<string | undefined>(ids).map(
    ([role, id]) => [role, id === undefined ? undefined : accountBookedOn(ctx, id)] as const,
  )
  return known.every(([, account]) => account)
    ? (Object.fromEntries(known) as Accounts<Role>)
    : undefined
}
