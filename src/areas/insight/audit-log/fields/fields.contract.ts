import { imageFrom, type LoggedImage, rowOfImage } from '../../../../ledger/ledger.public.ts'
import {
  presentDifference,
  presentTransaction,
} from '../../../money/transaction-views/transaction-views.public.ts'
import { presentTransfer } from '../../../money/transfers/transfers.public.ts'
import { changesTold, factsTold, type RowContext, type ToldChange } from './fields.rules.ts'

/** An event, as far as what it says of fields goes. */
export interface LoggedFields {
  resourceType: string
  resourceId: string | null
  /** Of the account that it is about. */
  currency: string | null
  /** JSON. */
  content: string | null
}

const tellingOf = (
  { resourceType, currency }: Omit<LoggedFields, 'content'>,
  isMasked: boolean,
): RowContext => ({
  resourceType,
  currency,
  isMasked,
  bookingIn,
})

/** What an event says of fields, as the API has them. */
export const presentChanges = (row: LoggedFields, isMasked: boolean): ToldChange[] =>
  changesTold(snapshotsIn(row) ?? row.content, tellingOf(row, isMasked))

/** The content of an event of the ledger's journal, with its snapshots as the API tells them; undefined for any other. */
function snapshotsIn({ resourceType, resourceId, currency, content }: LoggedFields) {
  const { before, after, ...rest } = (JSON.parse(content ?? '{}') ?? {}) as Partial<
    Record<'before' | 'after', Record<string, unknown>>
  >
  const isSnapshot = (fields: object | undefined) => !fields || !('entries' in fields)
  if (
    resourceType !== 'transaction' ||
    resourceId === null ||
    !isSnapshot(before) ||
    !isSnapshot(after)
  ) {
    return undefined
  }
  // The entry has a field for it.
  const about = { id: resourceId, currency, accountId: null }
  const told = presentDifference({ before, after }, { before: about, after: about })
  return JSON.stringify({ ...rest, ...told })
}

/** The facts of an event, for its owner. */
export const presentFacts = (row: LoggedFields & { facts: string | null }): unknown =>
  factsTold(row.facts, tellingOf(row, false))

/** A transfer has two account lines, everything else one, which comes first. */
const [FIRST, SECOND] = [1, 2]

/**
 * The image of a transaction with its entries, as an earlier log kept it, as the API tells a transaction or a transfer. An
 * old one may lack what that takes: then it is told field by field.
 */
function bookingIn(image: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!Array.isArray(image['entries'])) {
    return undefined
  }
  try {
    const stored = imageFrom(image as unknown as LoggedImage)
    const [from, to] = [rowOfImage(stored, FIRST), rowOfImage(stored, SECOND)]
    if (!from) {
      return undefined
    }
    if (from.kind !== 'transfer' || !to) {
      return withoutHanging(presentTransaction(from))
    }
    // An earlier log knew one fee, and no category.
    const { fees: _fees, categoryId: _category, ...known } = presentTransfer({ from, to })
    const { from: leaving, to: arriving, ...transfer } = known
    return { ...transfer, from: withoutHanging(leaving), to: withoutHanging(arriving) }
  } catch {
    return undefined
  }
}

/** The files and links of a transaction are not in its image. */
const withoutHanging = <Told extends { attachmentCount: number; netAmount: string | null }>({
  attachmentCount: _files,
  netAmount: _links,
  ...told
}: Told) => told
