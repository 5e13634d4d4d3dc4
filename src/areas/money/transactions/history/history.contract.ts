import { z } from '@hono/zod-openapi'
import { type FieldChange, fieldChanges } from '../../../../domain/changes.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  countOfLog,
  fieldChange,
  id,
  instant,
  nullableText,
  nextCursor,
  textField,
  toInstant,
  booleanField,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import { type Moved, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import { type Image, rowOfImage } from '../../../../ledger/ledger.public.ts'
import {
  presentDifference,
  presentTransaction,
} from '../../transaction-views/transaction-views.public.ts'
import type { HistoryViewer, Version } from './history.rules.ts'

export const ListTransactionVersionsQuery = z.strictObject(pageQuery())

export const TransactionVersion = z
  .object({
    id: id('log', 'Id of the record in the log.'),
    at: instant('Time of the change.'),
    action: textField('Type of the change.', 'transaction.updated'),
    actorId: nullableText(
      'User who made the change; null for the service itself.',
      'usr_01k9v3q8m5t0w2x4y6z8a1b3c5',
    ),
    actorType: z
      .enum(['user', 'token', 'system', 'anonymous'])
      .openapi({ description: 'Type of the actor.', example: 'user' }),
    forced: booleanField(
      'Whether `force` was used, on a reconciled transaction or in a locked period.',
      false,
    ),
    changes: z.array(fieldChange).openapi({
      description:
        'The fields of the transaction that differ, including `fee` for a transfer. For a merge, lists contain only the items that were removed and added. Empty while the transaction was on an account that the caller cannot see.',
    }),
  })
  .openapi('TransactionVersion')

export const ListTransactionVersionsResponse = z
  .object({
    versions: z.array(TransactionVersion).openapi({ description: 'Changes, newest first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('ListTransactionVersionsResponse')

export const presentVersions = ({
  rows,
  count,
  nextCursor,
}: Listed<Version>): z.infer<typeof ListTransactionVersionsResponse> => ({
  versions: rows.map((version) => ({
    id: version.id,
    at: toInstant(version.at),
    action: version.type,
    actorId: version.actorId,
    actorType: version.actorType,
    forced: version.forced,
    changes: changesOf(version),
  })),
  count,
  nextCursor,
})

function changesOf(version: Version): FieldChange[] {
  const { reader } = version
  if (version.kind === 'moved') {
    return movesOf(version.moved, reader)
  }
  if (version.kind === 'images') {
    const { before, after } = version
    return fieldChanges(fieldsOf(before, reader.line), fieldsOf(after, reader.line))
  }
  const { before, after, currencies, accountId } = version
  const { transactionId: id, originalCurrency } = reader
  const about = (currency: string | null) => ({ id, currency, accountId, originalCurrency })
  const told = presentDifference(
    { before, after },
    { before: about(currencies.before), after: about(currencies.after) },
  )
  return fieldChanges(told.before, told.after)
}

/** The fields of a transaction without its time stamps, and the fee of a transfer on the side that paid it. */
function fieldsOf(image: Image | undefined, line: number): Record<string, unknown> | undefined {
  const row = image && rowOfImage(image, line)
  if (!row) {
    return undefined
  }
  const { id: _, version: _v, createdAt: _c, updatedAt: _u, ...fields } = presentTransaction(row)
  const fee = image.entries.find(({ side }) => side === 'expense')
  const isPaidHere = row.kind === 'transfer' && fee?.accountId === row.accountId
  return isPaidHere
    ? {
        ...fields,
        fee: { amount: formatMoney(fee.amountMinor, fee.currency), categoryId: fee.categoryId },
      }
    : fields
}

/** Compares only the items of a list that were removed or added, since a merge does not read the rest. */
function movesOf({ field, from, to }: Moved, reader: HistoryViewer): FieldChange[] {
  const idIn = (id: string | null) => (field === 'tagIds' ? [id].filter(Boolean) : id)
  const places = Object.entries(from).flatMap(([id, lines]) =>
    lines.map((line) => ({ id: id || null, line })),
  )
  const whole = places
    .filter(({ line }) => line === WHOLE)
    .map(({ id }) => ({ field: field as string, before: idIn(id), after: idIn(to) }))
  const parts = places.filter(({ line }) => line !== WHOLE)
  if (parts.length === 0) {
    return whole
  }
  if (isTransfer(reader)) {
    return reader.line === SENDING_LINE
      ? parts.map(({ id }) => ({ field: 'fee', before: { [field]: id }, after: { [field]: to } }))
      : []
  }
  const partsWith = (idOf: (id: string | null) => string | null) =>
    parts.map(({ id, line }) => ({
      id: splitIdOf(reader.transactionId, line),
      [field]: idIn(idOf(id)),
    }))
  return [...whole, { field: 'splits', before: partsWith((id) => id), after: partsWith(() => to) }]
}

/** Only the fee of a transfer has a category, and only its sending account pays it. */
const SENDING_LINE = 1

const isTransfer = ({ transactionId }: HistoryViewer) => transactionId.startsWith('trf_')
