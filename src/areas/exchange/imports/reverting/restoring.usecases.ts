import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { conflicting } from '../../../../platform/refusals.ts'
import {
  amend,
  entriesOf,
  type LedgerRow,
  ledgerSidesOf,
  post,
  restore,
  trashedRowById,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { bookingRefusals } from '../booking/booking.errors.ts'
import { takePiece } from '../booking/booking.queries.ts'
import { lockWatcher } from '../booking/locks.rules.ts'
import { amendmentBack, type Before, byTransaction } from '../booking/matched.rules.ts'
import { forgetIdentities, holdAgain } from '../identities/identities.queries.ts'
import type { HeldRow } from '../identities/identities.rules.ts'
import type { StoredImport } from '../imports.queries.ts'
import { type AddedRow, keepAdded, saveReverted } from './reverting.queries.ts'
import { type Choice, MOST_KEPT, MOST_LINES, type Reverted } from './reverting.rules.ts'

/** Takes off what an import added to transactions, and brings those back that it moved to the trash. */
export async function restorePiece(
  owner: SignedIn,
  row: StoredImport,
  report: Reverted,
  added: AddedRow[],
): Promise<void> {
  const ids = [...new Set(added.flatMap(({ transactionId }) => transactionId ?? []))]
  const { force } = JSON.parse(row.options) as Choice
  const befores = added.map(({ added: stored }) => {
    const before = stored === null ? undefined : (JSON.parse(stored) as Before | string | null)
    return typeof before === 'string' ? null : before
  })
  const trashedIds = added.flatMap(({ transactionId }, at) =>
    transactionId !== null && befores[at]?.trashed ? [transactionId] : [],
  )
  const [found, views, ...inTrash] = await read(
    owner,
    ledgerSidesOf(owner, ids, MOST_LINES),
    visibleAccounts(owner),
    ...trashedIds.map((id) => trashedRowById(owner, id)),
  )
  const trashed = new Map(inTrash.flat().map((one) => [one.transactionId, one]))
  const returning: LedgerRow[] = []
  const isLocked = lockWatcher(views, force)
  const kept: (AddedRow & { id: string })[] = []
  const held: (HeldRow & { accountId: string })[] = []
  const restored = added.flatMap((one, at) => {
    const { accountId, transactionId } = one
    const before = befores[at]
    const sides = found.filter(
      (side) => side.transactionId === transactionId && side.accountId === accountId,
    )
    const there = sides.find(({ line }) => line === before?.line) ?? sides[0]
    const inTrashNow = before?.trashed ? trashed.get(transactionId ?? '') : undefined
    if (inTrashNow) {
      if (isLocked(undefined, entriesOf(inTrashNow))) {
        kept.push({ ...one, id: inTrashNow.transactionId })
      } else {
        returning.push(inTrashNow)
      }
      return []
    }
    // Somebody has brought it back already.
    if (!there || !before || before.trashed) {
      return []
    }
    const amendment = amendmentBack(there, before)
    if (amendment.entries && isLocked(entriesOf(there), amendment.entries)) {
      kept.push({ ...one, id: there.transactionId })
      return []
    }
    held.push(...(before.held ?? []).map((pending) => ({ ...pending, accountId })))
    return [amendment]
  })
  const staying = kept.map(({ id }) => ({ id, reason: 'locked' }))
  const next: Reverted = {
    ...report,
    restored: report.restored + restored.length + returning.length,
    kept: [...report.kept, ...staying].slice(0, MOST_KEPT),
  }
  const stays = new Set(kept.map(({ accountId, identity }) => `${accountId} ${identity}`))
  const forgotten = added.filter(
    ({ accountId, identity }) => !stays.has(`${accountId} ${identity}`),
  )
  const postings = [
    ...(restored.length === 0 ? [] : [amend(owner, byTransaction(restored))]),
    ...returning.map((one) => restore(owner, one, conflicting)),
  ]
  await commit(owner, {
    changes: [
      withoutEvents([
        ...takePiece(owner, row, 'reverting', added.length),
        saveReverted(row, next),
        ...forgetIdentities(row.id, forgotten),
        ...holdAgain(held),
        ...keepAdded(row.id, kept),
      ]),
      ...(postings.length === 0 ? [] : [post(owner, { ...bookingRefusals, force }, ...postings)]),
    ],
    result: undefined,
  })
}
