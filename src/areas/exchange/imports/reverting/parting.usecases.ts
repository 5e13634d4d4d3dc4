import { AppError } from '../../../../domain/errors.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import { type MatchedPart, matchedRows } from '../../../../ledger/ledger.public.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { unmatchSplit } from '../../../money/transactions/transactions.public.ts'
import { unmatchTransfer } from '../../../money/transfers/transfers.public.ts'

const REFUSED = ['invalid', 'forbidden', 'notFound', 'conflict']

/** Parts the halves of a transfer, or takes the rows away from the parts of a transaction that they are the other side of. */
export async function partFrom(owner: SignedIn, id: string, force: boolean): Promise<void> {
  if (id.startsWith('trf_')) {
    await unlessRefused(() => unmatchTransfer(owner, id, force))
    return
  }
  const [matched] = await read(owner, matchedRows(owner, id))
  for (const { matchedPart } of matched) {
    if (matchedPart !== null) {
      const { line } = JSON.parse(matchedPart) as MatchedPart
      await unlessRefused(() => unmatchSplit(owner, id, splitIdOf(id, line), force))
    }
  }
}

/** Runs a separation, and ignores a refusal. */
async function unlessRefused(part: () => Promise<unknown>): Promise<void> {
  try {
    await part()
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSED.includes(error.kind)
    if (!isRefused || error.code === 'tasks.taken') {
      throw error
    }
  }
}
