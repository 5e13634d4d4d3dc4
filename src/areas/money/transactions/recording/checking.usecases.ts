import { AppError } from '../../../../domain/errors.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { FoundAccount } from '../../accounts/accounts.public.ts'
import type { MadeTransaction, RecordDraft } from './making.usecases.ts'
import { record } from './recording.usecases.ts'

/** The account that stands for any of the caller's in a currency. */
const standInFor = ({ caller }: SignedIn, currency: string): FoundAccount => ({
  ...{ id: 'acc_any', ownerId: caller.userId, currency, ruleSet: 0, nameKey: '' },
  ...{ status: 'open', lockedThrough: null, hardLockedThrough: null, rank: rankOf('owner') },
})

/**
 * Decides on drafts as if they were recorded, whatever is locked, and records none.
 * @param currency given where they may be on any account in it: then they name none
 */
export function checkDrafts(ctx: SignedIn, drafts: RecordDraft[], currency?: string) {
  const account = currency === undefined ? undefined : standInFor(ctx, currency)
  const placed = account ? drafts.map((draft) => ({ ...draft, accountId: account.id })) : drafts
  return record(ctx, placed, { dryRun: true, list: 'drafts', standIn: { account } }, (decided) =>
    decided.flatMap((one): (MadeTransaction | AppError)[] => {
      if (one instanceof AppError) {
        return [one]
      }
      return 'made' in one ? [one.made] : []
    }),
  )
}
