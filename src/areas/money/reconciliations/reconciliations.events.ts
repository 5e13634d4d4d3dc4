import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { ReconciliationRow } from './reconciliations.rules.ts'

type Stated = Pick<
  ReconciliationRow,
  'statementDate' | 'openingMinor' | 'closingMinor' | 'note' | 'attachmentId' | 'importId'
>

export const reconciliationEvents = defineEvents('reconciliation', {
  started: carries<Created<Stated>>(),
  /** Ticks are not listed one by one. */
  changed: carries<Updated<Stated>>(),
  finished: carries<Stated & { rows: number; adjustmentId?: string }>(),
  undone: carries<Stated & { rows: number; kept: number }>(),
  abandoned: carries<Deleted<Stated>>(),
})

export const statedBySession = ({
  statementDate,
  openingMinor,
  closingMinor,
  note,
  attachmentId,
  importId,
}: ReconciliationRow): Stated => ({
  ...{ statementDate, openingMinor, closingMinor, note, attachmentId, importId },
})

/** The thing that an event of a session is about. */
export const reconciliationThing = ({
  id,
  ownerId,
  accountId,
}: Pick<ReconciliationRow, 'id' | 'ownerId' | 'accountId'>) => ({ id, ownerId, accountId })
