import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { addressOf } from '../../../domain/ledger.ts'
import { type Image, ledgerRowById } from '../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { accountsWithHistory, changesOf, countOfChanges } from './history.queries.ts'
import { type Version, versionsOf } from './history.rules.ts'

/** What became of a transaction, the last change first. */
export async function findVersions(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<Page<Version>> {
  const { transactionId, line } = addressOf(id)
  const [[row], accounts, changes, [counted]] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsWithHistory(ctx),
    changesOf(transactionId, page),
    countOfChanges(transactionId),
  )
  if (!row || !counted) {
    throw transactionErrors.notFound()
  }
  const accountIds = new Set(accounts.map((account) => account.id))
  const [, isKnown = 'true'] = page.after ?? []
  const { userId } = ctx.caller
  const isHidden = (image: Image) =>
    image.private && ![row.ownerId, image.createdBy].includes(userId)
  const told = { transactionId, line, accountIds, isHidden }
  const versions = versionsOf(changes, told, isKnown === 'true')
  const cut = cutPage(versions, page, ({ sequence, wasKnown }) => [
    String(sequence),
    String(wasKnown),
  ])
  return { ...cut, count: counted.count }
}
