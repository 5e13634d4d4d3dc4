import type { z } from '@hono/zod-openapi'
import { type FieldChange, fieldChanges } from '../../../domain/changes.ts'
import { splitIdOf } from '../../../domain/ledger.ts'
import { formatMoney } from '../../../domain/money.ts'
import { toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import { type Image, rowOfImage } from '../../../ledger/ledger.public.ts'
import { type Moved, WHOLE } from '../../../ledger/labels/labels.public.ts'
import {
  presentDifference,
  presentTransaction,
} from '../../transaction-views/transaction-views.public.ts'
import type { Reader, Version } from './history.rules.ts'
import type { ListTransactionVersionsResponse } from './history.schemas.ts'

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

/** What a transaction tells of itself, but for its stamps; of a transfer also the fee, where it was paid. */
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

/** Of lists only what went and what came: a merge does not look at the rest. */
function movesOf({ field, from, to }: Moved, reader: Reader): FieldChange[] {
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

const isTransfer = ({ transactionId }: Reader) => transactionId.startsWith('trf_')
