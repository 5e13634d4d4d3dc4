import { z } from '@hono/zod-openapi'
import { type FieldChange, fieldChanges } from '../../../../domain/comparing.ts'
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
import { presentDifference } from '../../transaction-views/transaction-views.public.ts'
import type { Version } from './history.rules.ts'

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
    ruleIds: z.array(z.string()).openapi({
      description:
        'Ids of the rules that filled in fields with this change, in their order. Only the owner of the account sees them.',
      example: ['rul_01k9v3q8m5t0w2x4y6z8a1b3c5'],
    }),
    changes: z.array(fieldChange).openapi({
      description:
        'The fields of the transaction that differ, including `fees` for a transfer. For a merge, lists contain only the items that were removed and added. Empty while the transaction was on an account that the caller cannot see.',
    }),
  })
  .openapi('TransactionVersion')

export const TransactionVersionsResponse = z
  .object({
    versions: z.array(TransactionVersion).openapi({ description: 'Changes, newest first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('TransactionVersionsResponse')

export const presentVersions = ({
  rows,
  count,
  nextCursor,
}: Listed<Version>): z.infer<typeof TransactionVersionsResponse> => ({
  versions: rows.map((version) => ({
    id: version.id,
    at: toInstant(version.at),
    action: version.type,
    actorId: version.actorId,
    actorType: version.actorType,
    forced: version.forced,
    ruleIds: version.ruleIds,
    changes: changesOf(version),
  })),
  count,
  nextCursor,
})

function changesOf({ reader, before, after, currencies, accountId }: Version): FieldChange[] {
  const { transactionId: id, originalCurrency } = reader
  const about = (currency: string | null) => ({ id, currency, accountId, originalCurrency })
  const difference = presentDifference(
    { before, after },
    { before: about(currencies.before), after: about(currencies.after) },
  )
  return fieldChanges(difference.before, difference.after)
}
