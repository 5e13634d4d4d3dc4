import {
  logSeals,
  logSegments,
  logSegmentThings,
  logSegmentUsers,
} from '../../../../drizzle/schema/log.ts'
import { logListeners } from '../../../../drizzle/schema/system.ts'
import { logged } from '../../../platform/owned-data/exports.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { endExports, standingExports } from './exports/exports.queries.ts'
import { presentOwnEvent } from './audit-log.contract.ts'
import { ownEvents } from './own.queries.ts'
import { eventsTellingOf, redactEvents } from './redaction/redaction.queries.ts'
import { segmentsTellingOf } from './segments/segments.queries.ts'
import { rewriteSegments } from './segments/verifying.usecases.ts'

export const auditLogData: OwnedData = {
  area: 'audit-log',
  tables: [logSeals, logSegments, logSegmentThings, logSegmentUsers, logListeners],
  erase: [
    {
      // The content of the log about the user. The events of this step itself contain nothing that would have to be
      // redacted.
      name: 'log',
      find: ({ ownerId }, after) => eventsTellingOf(ownerId, Number(after)),
      erase: (ids, { ownerId }) => redactEvents(ownerId, ids.map(Number)),
      event: 'logRedacted',
    },
    {
      // Behind the rows: what is stored from now on tells nothing of the user.
      name: 'logSegments',
      find: ({ ownerId }) => segmentsTellingOf(ownerId),
      erase: (ids, { ownerId }, ctx) => rewriteSegments(ctx, ids.map(Number), ownerId),
      event: 'logRedacted',
    },
    {
      // Exports of the log from before its redaction, whoever has them.
      name: 'exports',
      find: standingExports,
      erase: (ids, _, ctx) => [endExports(ctx, ids)],
      event: 'exportsErased',
    },
  ],
  // At the end once more, as work that was under way may have had the user listen again.
  close: forgetBy(logListeners.ownerId),
  forget: forgetBy(logListeners.ownerId),
  exports: [logged('auditLog', ownEvents, presentOwnEvent)],
}
