import { sql } from 'drizzle-orm'
import {
  recurring,
  recurringDismissals,
  recurringOccurrences,
} from '../../../../drizzle/schema/recurring.ts'
import { trashErrors } from '../../../domain/owned-data.ts'
import {
  arrayOf,
  currencyText,
  dateText,
  idText,
  minorUnits,
  textUpTo,
} from '../../../domain/stored-values.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { keptRow } from '../../../platform/owned-data/archived-rows.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { trashedImage, trashedRow, trashedRowsOf } from '../../../ledger/labels/labels.public.ts'
import { CreateRecurringRequest, presentRecurring } from './recurring.contract.ts'
import { MOST_DISMISSALS } from './linking/candidates.queries.ts'
import { LINK } from './linking/automatic.usecases.ts'
import { recurringEvents } from './recurring.events.ts'
import {
  keepLinking,
  mustFit,
  mustHaveAccounts,
  recurringRows,
  saveOccurrences,
} from './recurring.queries.ts'
import {
  MOST_ACTIVE,
  RESTORED,
  type StoredOccurrence,
  type StoredRecurring,
} from './recurring.rules.ts'
import { listRecurring } from './recurring.usecases.ts'
import { SETTLE } from './settling/settling.usecases.ts'
import {
  storedAccountIds,
  storedChanges,
  storedDefinition,
  storedRests,
} from './stored.contract.ts'

const archivedRecurring: ArchivedTable = {
  table: recurring,
  prefixes: ['rec'],
  owner: [recurring.ownerId],
  order: [recurring.id],
  users: [recurring.createdBy],
  // An item of an archive goes on with the day on which it is restored.
  leftOut: [recurring.nextAt],
  fill: { next_at: sql.raw(String(RESTORED)) },
  holds: {
    ...takenAs(CreateRecurringRequest, ['name']),
    currency: currencyText,
    ...{ firstDay: dateText, restedOn: dateText, handledThrough: dateText, remindedOn: dateText },
    ...{ accountId: idText, previousId: idText },
  },
  json: { definition: storedDefinition, rests: storedRests, accountIds: storedAccountIds },
  most: [{ rows: MOST_ACTIVE, counts: (row) => row['active'] === 1 }],
}

const archivedOccurrences: ArchivedTable = {
  table: recurringOccurrences,
  owner: [recurringOccurrences.ownerId],
  order: [recurringOccurrences.recurringId, recurringOccurrences.nominalDate],
  names: [[recurringOccurrences.recurringId, ['recurring']]],
  holds: {
    nominalDate: dateText,
    date: dateText,
    reason: textUpTo(100),
    expectedMinor: minorUnits,
  },
  json: { changes: storedChanges },
  merge: { with: [recurringOccurrences.recurringId] },
}

interface Image {
  row: Omit<StoredRecurring, 'nextAt'>
  occurrences: StoredOccurrence[]
}

export const recurringData: OwnedData = {
  area: 'recurring',
  tables: [recurring, recurringOccurrences, recurringDismissals],
  erase: [
    ownRows('recurring', recurring, {
      wipedWith: ['recurring'],
      referredToBy: [recurringOccurrences.recurringId],
    }),
    ownRows('recurringDismissals', recurringDismissals, { wipedWith: ['recurring'] }),
    trashedRowsOf('recurring', 'recurring'),
  ],
  tasks: [SETTLE, LINK],
  reset: {
    wipedWith: 'recurring',
    statements: (_, { ownerId }) => keepLinking(ownerId),
  },
  archived: [
    archivedRecurring,
    archivedOccurrences,
    {
      table: recurringDismissals,
      prefixes: ['rdm'],
      owner: [recurringDismissals.ownerId],
      order: [recurringDismissals.id],
      merge: { same: [recurringDismissals.key] },
      holds: { key: textUpTo(200, 1) },
      most: [{ rows: MOST_DISMISSALS }],
    },
  ],
  exports: [
    listed(
      'recurring',
      (owner, page) => listRecurring(owner, {}, page),
      presentRecurring,
      (item, ownerId) => item.ownerId === ownerId,
    ),
  ],
  trash: {
    kinds: {
      recurring: trashedRow<Image>('recurring', {
        isImage: trashedImage(keptRow(archivedRecurring), {
          occurrences: arrayOf(keptRow(archivedOccurrences), 20_000),
        }),
        bringBack: (ctx, { row, occurrences }, thing) => ({
          statements: [
            mustHaveAccounts(row, trashErrors.accountInTrash),
            recurringRows.insert({
              ...row,
              ownerId: ctx.caller.userId,
              version: row.version + 1,
              // What lay between is left out: the next run resumes an item that rested.
              nextAt: ctx.now,
              updatedAt: ctx.now,
            }),
            saveOccurrences(occurrences.map((one) => ({ ...one, ownerId: ctx.caller.userId }))),
            mustFit(ctx.caller.userId),
            ...keepLinking(ctx.caller.userId),
          ],
          events: [recurringEvents.restored(thing, { after: row })],
        }),
        erased: (thing, { row }) => recurringEvents.erased(thing, { before: row }),
      }),
    },
  },
}
