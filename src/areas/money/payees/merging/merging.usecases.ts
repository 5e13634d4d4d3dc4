import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import {
  labelsTo,
  moveLabels,
  putInTrash,
  requireMovable,
} from '../../../../ledger/labels/labels.public.ts'
import { aliasesOf, requireRoomForAlias, touchPayee } from '../aliases/aliases.queries.ts'
import { inUse, payeeErrors } from '../payees.errors.ts'
import { payeeEvents } from '../payees.events.ts'
import { deletePayeeRow, payeeRows, payeesByIds } from '../payees.queries.ts'
import { existing, snapshotOf } from '../payees.usecases.ts'
import { moveAliases, namesToAliases } from './merging.queries.ts'

const unknownTarget = () => payeeErrors.unknownPayee({ field: 'reassignTo' })

/** Deletes a payee with its aliases; its transactions go to `reassignTo`, else there may be none. */
export async function deletePayee(
  ctx: SignedIn,
  id: string,
  reassignTo: string | undefined,
): Promise<void> {
  const [[found], targets, labels, aliases] = await read(
    ctx,
    payeeRows.byId(ctx, id),
    payeesByIds(ctx, reassignTo === undefined ? [] : [reassignTo]),
    labelsTo(ctx, 'payee', [id]),
    aliasesOf(ctx, id),
  )
  const payee = existing(found)
  requireVersion(ctx, payee.version)
  if (reassignTo !== undefined && (targets.length === 0 || reassignTo === id)) {
    throw unknownTarget()
  }
  requireMovable(labels, payeeErrors.tooManyLinks)
  if (reassignTo === undefined && labels.length > 0) {
    throw inUse(new Set(labels.map(({ transactionId }) => transactionId)).size)
  }
  const move = { from: [id], to: reassignTo, targetGone: unknownTarget }
  const moved = moveLabels(ctx, 'payee', move, labels)
  const { lastUsedAt: _, aliases: _words, ...row } = payee
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...moved.statements,
          ...deletePayeeRow(ctx, payee),
          putInTrash(
            ctx,
            { id, kind: 'payee', name: payee.name },
            { row, aliases, lines: labels, into: reassignTo ?? null },
          ),
        ],
        events: [
          payeeEvents.deleted(
            { id, version: payee.version },
            { before: snapshotOf(payee), into: reassignTo },
          ),
          ...moved.events,
        ],
      },
    ],
    result: undefined,
  })
}

/** Merges other payees into this one: their names and aliases are its aliases then. */
export async function mergePayees(ctx: SignedIn, id: string, otherIds: string[]): Promise<void> {
  const [[found], others, labels] = await read(
    ctx,
    payeeRows.byId(ctx, id),
    payeesByIds(ctx, otherIds),
    labelsTo(ctx, 'payee', otherIds),
  )
  existing(found)
  const wrong = otherIds.findIndex(
    (one, at) =>
      one === id || otherIds.indexOf(one) !== at || !others.some((other) => other.id === one),
  )
  if (wrong !== -1) {
    throw payeeErrors.unknownPayee({ field: `payeeIds.${wrong}` })
  }
  requireMovable(labels, payeeErrors.tooManyLinks)
  const named = others.map((other) => ({ id: other.id, aliasId: freshId(ctx, 'pal') }))
  const moved = moveLabels(ctx, 'payee', { from: otherIds, to: id }, labels)
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...touchPayee(ctx, id),
          ...moved.statements,
          moveAliases(ctx, otherIds, id),
          namesToAliases(ctx, named, id),
          ...others.flatMap((other) => deletePayeeRow(ctx, other)),
          requireRoomForAlias(id),
        ],
        events: [
          ...others.map((other) =>
            payeeEvents.merged(
              { id: other.id, version: other.version },
              { before: snapshotOf(other), into: id },
            ),
          ),
          ...moved.events,
        ],
      },
    ],
    result: undefined,
  })
}
