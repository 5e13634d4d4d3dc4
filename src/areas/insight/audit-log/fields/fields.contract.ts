import { presentDifference } from '../../../money/transaction-views/transaction-views.public.ts'
import { changesTold, factsTold, type ToldChange } from './fields.rules.ts'

/** An event, as far as what it says of fields goes. */
export interface LoggedFields {
  resourceType: string
  resourceId: string | null
  /** Of the account that it is about. */
  currency: string | null
  /** JSON. */
  content: string | null
}

/** What an event says of fields, as the API has them. */
export const presentChanges = (row: LoggedFields, isMasked: boolean): ToldChange[] =>
  changesTold(snapshotsIn(row) ?? row.content, { ...row, isMasked })

/** The content of an event of the ledger's journal, with its snapshots as the API tells them; undefined for any other. */
function snapshotsIn({ resourceType, resourceId, currency, content }: LoggedFields) {
  const { before, after, ...rest } = (JSON.parse(content ?? '{}') ?? {}) as Partial<
    Record<'before' | 'after', Record<string, unknown>>
  >
  if (resourceType !== 'transaction' || resourceId === null) {
    return undefined
  }
  // The entry has a field for it.
  const about = { id: resourceId, currency, accountId: null }
  const told = presentDifference({ before, after }, { before: about, after: about })
  return JSON.stringify({ ...rest, ...told })
}

/** The facts of an event, for its owner. */
export const presentFacts = (row: LoggedFields & { facts: string | null }): unknown =>
  factsTold(row.facts, { ...row, isMasked: false })
