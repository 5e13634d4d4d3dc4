import { carries, type Created, defineEvents, type Deleted } from '../../../platform/log/events.ts'
import type { AssertionRow } from './balance-assertions.rules.ts'

type Stated = Pick<
  AssertionRow,
  'date' | 'edge' | 'basis' | 'amountMinor' | 'toleranceMinor' | 'source' | 'note'
>

export const assertionEvents = defineEvents('assertion', {
  created: carries<Created<Stated>>(),
  deleted: carries<Deleted<Stated>>(),
  /** Once per turn from true to false. */
  failed: carries<
    Pick<AssertionRow, 'date' | 'edge' | 'basis' | 'amountMinor'> & {
      /** Set if a private line is in the sum, so that nobody else learns of it. */
      private?: true
    }
  >(),
})

export const statedByAssertion = ({
  date,
  edge,
  basis,
  amountMinor,
  toleranceMinor,
  source,
  note,
}: AssertionRow): Stated => ({ date, edge, basis, amountMinor, toleranceMinor, source, note })

/** The resource of an event about an assertion. */
export const assertionThing = ({
  id,
  ownerId,
  accountId,
}: Pick<AssertionRow, 'id' | 'ownerId' | 'accountId'>) => ({
  ...{ id, resourceType: 'balanceAssertion', ownerId, accountId },
})
