import { AppError } from '../../../../domain/errors.ts'
import { formatMoney, isInRange } from '../../../../domain/money.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { fromWideSum } from '../../../../platform/wide-sums.ts'
import { updateAccount } from '../../../money/accounts/accounts.public.ts'
import type { StoredImport } from '../imports.queries.ts'
import { balancesOfUnopened, type StatedBalance } from './late-openings.queries.ts'
import type { CommitOptions } from './making.usecases.ts'

/** The opening balance of an account, by what a statement says that it held later. */
export interface LateOpening {
  accountId: string
  currency: string
  minor: number
  date: string
}

/** What accounts must have opened with, so that they hold what the first statement of each says. */
export function lateOpenings(balances: StatedBalance[]): LateOpening[] {
  const first = new Map(balances.toReversed().map((one) => [one.accountId, one]))
  return [...first.values()].flatMap(({ accountId, currency, ...stated }): LateOpening[] => {
    const { date, openingDate, balanceMinor, heldBefore } = stated
    const minor = BigInt(balanceMinor) - fromWideSum(heldBefore)
    const opening = { accountId, currency, date: date < openingDate ? date : openingDate }
    return minor === 0n || !isInRange(minor) ? [] : [{ ...opening, minor: Number(minor) }]
  })
}

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
