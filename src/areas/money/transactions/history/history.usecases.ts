import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { pageFinders, readOn } from '../../../../platform/log/log-reading.ts'
import type { Page, PageRequest } from '../../../../platform/database/paging.ts'
import { addressOf, isLegOfPart } from '../../../../domain/ledger-ids.ts'
import { ledgerRowById } from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { accountsWithHistory, changesList } from './history.queries.ts'
import { type Version, versionOf } from './history.rules.ts'
import { owns } from '../../../identity/access/access.public.ts'

/** Lists the changes of a transaction, newest first. */
export async function listTransactionVersions(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<Page<Version>> {
  const { transactionId, line } = addressOf(id)
  // The other side of a part has a history of its own.
  const ids = isLegOfPart(line) ? [id] : [...new Set([id, transactionId])]
  const list = changesList(ctx, { ids, transactionId, line })
  const [[row], accounts, ...found] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsWithHistory(ctx),
    ...pageFinders(list, page),
  )
  if (!row) {
    throw transactionErrors.notFound()
  }
  const reader = {
    transactionId,
    currencies: new Map(accounts.map((account) => [account.id, account.currency])),
    isOwner: owns(ctx.caller, row),
    isOwn: owns(ctx.caller, row) || row.createdBy === ctx.caller.userId,
    originalCurrency: row.originalCurrency,
  }
  const { rows, ...rest } = await readOn(ctx, list, page, found)
  return { rows: rows.map((change) => versionOf(change, reader)), ...rest }
}
