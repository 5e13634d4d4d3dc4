import { MOST_OF_TRANSACTION } from '../imports.rules.ts'
import type { NewIdentity } from '../identities/identities.queries.ts'
import { NOTHING_ADDED } from './matched.rules.ts'
import { identityRow, type Plan, type Planned } from './plans.usecases.ts'

/**
 * Makes the identities of rows in whose place another row of the piece was booked: what corrects them later, and they themselves
 * in a later file, find the transaction that this one has become.
 *
 * @param booked those of the rows that were booked
 */
export function followersOf(
  { toFollow, toBook }: Pick<Plan, 'toFollow' | 'toBook'>,
  booked: readonly NewIdentity[],
  importId: string,
): NewIdentity[] {
  const partners = new Map(toFollow.map((one) => [one.booking.row.at, partnerOf(one)]))
  const planned = new Map(
    toBook.map(({ booking: { row, account }, identity }) => [
      row.at,
      keyOf({ accountId: account.id, ...identity }),
    ]),
  )
  const became = new Map(booked.map((one) => [keyOf(one), one]))
  const counts = new Map<string, number>()
  return toFollow.flatMap(({ booking, identity }) => {
    const last = planned.get(endOf(booking.row.at, partners))
    const { transactionId, added } = became.get(last ?? '') ?? {}
    const count = (counts.get(transactionId ?? '') ?? 0) + 1
    counts.set(transactionId ?? '', count)
    return transactionId === undefined
      ? []
      : [
          {
            ...identityRow(booking, identity, importId),
            transactionId: count < MOST_OF_TRANSACTION ? transactionId : null,
            added: added === null ? null : NOTHING_ADDED,
          },
        ]
  })
}

/** Of a row: accounts may have equal identities. */
const keyOf = ({ accountId, identity }: Pick<NewIdentity, 'accountId' | 'identity'>): string =>
  `${accountId} ${identity}`

const partnerOf = ({ booking: { decided } }: Planned) => decided.found.partnerAt as number

/** The row that stands for a row in the end. Rows that correct each other have none. */
function endOf(at: number, partners: ReadonlyMap<number, number>): number {
  const seen = new Set<number>()
  let end = at
  for (
    let next = partners.get(end);
    next !== undefined && !seen.has(end);
    next = partners.get(end)
  ) {
    seen.add(end)
    end = next
  }
  return end
}
