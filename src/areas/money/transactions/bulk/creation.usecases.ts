import { AppError } from '../../../../domain/errors.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { type Recorded, rowOfMade } from '../recording/making.usecases.ts'
import { record } from '../recording/recording.usecases.ts'
import type { SentTransaction } from '../transactions.rules.ts'

/** The outcome for one transaction that was sent. In a dry run, a new one is only valid. */
export type CreationOutcome =
  | { status: 'created' | 'existing'; row: LedgerRow | undefined }
  | { status: 'valid' }
  | AppError

export interface Creation {
  results: CreationOutcome[]
  dryRun: boolean
}

interface CreateManyInput {
  transactions: SentTransaction[]
  force?: boolean | undefined
  /** False leaves rules and usual categories out. */
  applyRules?: boolean | undefined
  dryRun: boolean
}

/** Books all of them, or none. What an account has already by its external id is not booked again. */
export const createTransactions = (
  ctx: SignedIn,
  { transactions, force, applyRules, dryRun }: CreateManyInput,
): Promise<Creation> =>
  record(
    ctx,
    applyRules === false ? transactions.map(unruled) : transactions,
    { force, dryRun, list: 'transactions' },
    (recorded) => ({
      results: recorded.map((one) => outcomeOf(one, dryRun)),
      dryRun,
    }),
  )

const unruled = (draft: SentTransaction) => ({ ...draft, applyRules: false })

/** The outcome for one draft, as requests for many tell it. */
export function outcomeOf(one: Recorded | AppError, dryRun: boolean): CreationOutcome {
  if (one instanceof AppError) {
    return one
  }
  if ('made' in one) {
    return dryRun ? { status: 'valid' } : { status: 'created', row: rowOfMade(one.made) }
  }
  const { existing, isStored } = one
  return { status: 'existing', row: dryRun && !isStored ? undefined : existing }
}
