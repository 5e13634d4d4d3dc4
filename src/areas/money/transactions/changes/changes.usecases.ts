import { addressOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commitAndRead, read, requireVersion } from '../../../../platform/database.ts'
import { accountsForBooking } from '../../accounts/accounts.public.ts'
import { categoriesByIds } from '../../categories/categories.public.ts'
import {
  amend,
  type LedgerRow,
  ledgerRowById,
  namingConflicts,
  namingLocks,
  post,
  prepareEdits,
} from '../../../../ledger/ledger.public.ts'
import type { Named } from '../../../../ledger/labels/labels.public.ts'
import { payeesForBooking } from '../../payees/payees.public.ts'
import { tagsByIds } from '../../tags/tags.public.ts'
import { labelsNamed } from '../labels/labels.rules.ts'
import { partAccountsNamed } from '../splits/parts.rules.ts'
import { categoriesNamed, type SingleKind, type TransactionChanges } from '../transactions.rules.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import { requireRight } from '../recording/recording.usecases.ts'
import { conflicts, existingRow } from '../transactions.usecases.ts'
import { amendmentOf, decideChange, requireMayHide } from './changes.rules.ts'

/** A change that may depend on what is stored. */
interface StoredChange {
  /** The account that it moves to. */
  accountId?: string | undefined
  /** The accounts that its parts name. */
  accountIds: string[]
  /** The categories that the request names, each with the field that names it. */
  named: Named[]
  /** The payees and tags, likewise. */
  labels: Record<'payees' | 'tags', Named[]>
  wantedOf: (row: LedgerRow) => TransactionChanges
  /** Kind of the rows that are read. */
  kind?: SingleKind | undefined
}

/** Changes the fields that are sent. */
export const changeTransaction = (
  ctx: SignedIn,
  id: string,
  wanted: TransactionChanges,
  kind?: SingleKind,
): Promise<LedgerRow> =>
  applyChange(ctx, id, {
    kind,
    accountId: wanted.accountId,
    accountIds: partAccountsNamed(wanted.splits).map((one) => one.id),
    named: categoriesNamed(wanted),
    labels: labelsNamed(wanted),
    wantedOf: () => wanted,
  })

/** Changes a stored transaction as hooks and the request say together. */
export async function applyChange(
  ctx: SignedIn,
  id: string,
  { accountId, accountIds, named, labels, wantedOf, kind }: StoredChange,
): Promise<LedgerRow> {
  const { needs, ready } = prepareEdits(ctx, [addressOf(id).transactionId])
  const [[stored], accounts, categories, payees, tags, ...found] = await read(
    ctx,
    ledgerRowById(ctx, id),
    accountsForBooking(ctx, [...(accountId === undefined ? [] : [accountId]), ...accountIds]),
    categoriesByIds(ctx, idsOf(named)),
    payeesForBooking(ctx, idsOf(labels.payees)),
    tagsByIds(ctx, idsOf(labels.tags)),
    ...needs,
  )
  const row = existingRow(stored, kind)
  requireRight(row, 'annotate')
  requireVersion(ctx, row.version)
  const wanted = wantedOf(row)
  requireMayHide(row, wanted, ctx.caller.userId)
  const given = {
    named: { categories: named, ...labels },
    account: accounts.find((one) => one.id === accountId),
    ...{ accounts, categories, payees, tags },
  }
  const { decided, changes } = await namingLocks(ctx, row, () =>
    ready(found)(wanted, (fields) => amendmentOf(row, decideChange(row, fields, given))),
  )
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [
        ...changes,
        post(ctx, { ...bookingErrors, force: wanted.force }, amend(ctx, [decided])),
      ],
      conflicts: { ...conflicts, ...namingConflicts },
    },
    ledgerRowById(ctx, id),
  )
  return existingRow(changed)
}

const idsOf = (named: { id: string }[]) => named.map(({ id }) => id)
