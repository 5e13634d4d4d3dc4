import {
  type Image,
  presentSnapshot,
  presentTransaction,
  rowOfImage,
} from '../../ledger/ledger.public.ts'
import { presentTransfer } from '../../transfers/transfers.public.ts'
import { changesTold, factsTold, type Telling, type ToldChange } from './fields.rules.ts'

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
  { resourceType, resourceId, currency }: Omit<LoggedFields, 'content'>,
  isMasked: boolean,
): Telling => ({
  resourceType,
  currency,
  isMasked,
  bookingIn: (image) => bookingIn(image, { resourceType, resourceId, currency }),
})

/** What an event says of fields, as the API has them. */
export const presentChanges = (row: LoggedFields, isMasked: boolean): ToldChange[] =>
  changesTold(row.content, tellingOf(row, isMasked))

/** The facts of an event, for its owner. */
export const presentFacts = (row: LoggedFields & { facts: string | null }): unknown =>
  factsTold(row.facts, tellingOf(row, false))

/** A transfer has two account lines, everything else one, which comes first. */
const [FIRST, SECOND] = [1, 2]

/**
 * What the log keeps of a transaction, as the API tells it. An earlier log kept whole images with entries, of which an old
 * one may lack what that takes: then it is told field by field.
 */
function bookingIn(
  image: Record<string, unknown>,
  { resourceType, resourceId, currency }: Omit<LoggedFields, 'content'>,
): Record<string, unknown> | undefined {
  if (!Array.isArray(image['entries'])) {
    return resourceType === 'transaction' && resourceId !== null
      ? presentSnapshot(image, { id: resourceId, currency })
      : undefined
  }
  try {
    const stored = image as unknown as Image
    const [from, to] = [rowOfImage(stored, FIRST), rowOfImage(stored, SECOND)]
    if (!from) {
      return undefined
    }
    if (from.kind !== 'transfer' || !to) {
      return withoutFiles(presentTransaction(from))
    }
    const { from: leaving, to: arriving, ...transfer } = presentTransfer({ from, to })
    return { ...transfer, from: withoutFiles(leaving), to: withoutFiles(arriving) }
  } catch {
    return undefined
  }
}

/** How many files a transaction has is not in its image. */
const withoutFiles = <Told extends { attachmentCount: number }>({
  attachmentCount: _,
  ...told
}: Told) => told
