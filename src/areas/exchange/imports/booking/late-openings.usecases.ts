import { AppError } from '../../../../domain/errors.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { updateAccount } from '../../../money/accounts/accounts.public.ts'
import type { StoredImport } from '../imports.queries.ts'
import type { CommitOptions } from './commit.usecases.ts'
import { balancesOfUnopened } from './late-openings.queries.ts'
import { lateOpenings } from './late-openings.rules.ts'

/** Kinds of errors for which an account stays without an opening balance, as it is locked or closed. */
const LEFT_OUT = ['invalid', 'forbidden', 'notFound', 'conflict']

/**
 * Opens accounts that another import has created from a file that did not tell what they held, and of which this file tells it.
 */
export async function openLate(owner: SignedIn, { id, options }: StoredImport): Promise<void> {
  const [balances] = await read(owner, balancesOfUnopened(id))
  const { force } = JSON.parse(options) as CommitOptions
  for (const { accountId, currency, minor, date } of mayOpen(owner) ? lateOpenings(balances) : []) {
    const wanted = { openingBalance: formatMoney(minor, currency), openingDate: date, force }
    await updateAccount(owner, accountId, wanted).catch((error: unknown) => {
      if (!(error instanceof AppError && LEFT_OUT.includes(error.kind))) {
        throw error
      }
    })
  }
}

export const mayOpen = (owner: SignedIn) => profileOf(owner).permissions.includes('accounts.write')
