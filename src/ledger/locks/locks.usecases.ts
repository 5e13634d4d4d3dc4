import { AppError } from '../../domain/errors.ts'
import type { Context } from '../../platform/context.ts'
import { read } from '../../platform/database/database.ts'
import { entriesOf } from '../rows/images.queries.ts'
import type { LedgerRow } from '../rows/rows.queries.ts'
import { hidesAccount } from '../rows/rows.rules.ts'
import { locksOf } from './locks.queries.ts'
import { lockNote } from './locks.rules.ts'

/**
 * Decides a change, and names the lock of a day where the transaction is also reconciled: whoever forces the one forces the
 * other.
 */
export async function namingLocks<Decided>(
  ctx: Context,
  row: LedgerRow,
  decide: () => Decided,
): Promise<Decided> {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.endsWith('.reconciled')) {
      throw error
    }
    const ids = [...new Set(entriesOf(row).map(({ accountId }) => accountId))]
    const [accounts] = await read(
      ctx,
      locksOf(
        ctx,
        ids.filter((id) => !hidesAccount(row, id)),
      ),
    )
    const { kind, code, message } = error
    throw new AppError(kind, code, [message, ...lockNote(row.date, accounts)].join(' '))
  }
}
