import { sql } from 'drizzle-orm'
import { exportSchedules } from '../../../../drizzle/schema/files.ts'
import { ARCHIVE_KEPT_MS } from '../../../domain/archives.ts'
import { wholeNumber } from '../../../domain/stored-values.ts'
import { takenBy } from '../../../http/stored-fields.ts'
import { type ReadableCopy, whole } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { among, db } from '../../../platform/database/statements.ts'
import { keepScheduledExports } from '../backups/backups.public.ts'
import { openOwn } from './source.usecases.ts'
import { textOfExport } from './writers.usecases.ts'
import { MOST_SCHEDULES } from './exports.rules.ts'
import { presentSchedule, SetExportScheduleRequest } from './schedules/schedules.contract.ts'
import { DAYS_OF_WEEK } from './schedules/schedules.rules.ts'
import { listExportSchedules } from './schedules/schedules.usecases.ts'

/** The own transactions in a format that is one file. */
const copyOf = (path: string, format: 'csv' | 'hledger'): ReadableCopy => ({
  path,
  async *text(owner) {
    yield* textOfExport(await openOwn(owner, format), format)
  },
})

export const exportData: OwnedData = {
  area: 'exports',
  // Exports are archives, as backups are.
  tables: [exportSchedules],
  erase: [
    ownRows('exportSchedules', exportSchedules, {
      wipedWith: ['preferences'],
      erase: (ids, { ownerId }, { now }) => [
        db.run(
          sql`DELETE FROM export_schedules WHERE id IN ${among(ids)} AND owner_id = ${ownerId}`,
        ),
        keepScheduledExports(ownerId, now + ARCHIVE_KEPT_MS),
      ],
    }),
  ],
  archived: [
    {
      table: exportSchedules,
      prefixes: ['exs'],
      owner: [exportSchedules.ownerId],
      order: [exportSchedules.format],
      holds: {
        day: (value, row) =>
          wholeNumber(1, row['every'] === 'week' ? DAYS_OF_WEEK : 31)(value, row),
        keep: takenBy(SetExportScheduleRequest.shape.keep),
      },
      json: {
        options: takenBy(SetExportScheduleRequest.shape.options),
        scope: takenBy(SetExportScheduleRequest.shape.scope),
      },
      most: [{ rows: MOST_SCHEDULES }],
      merge: { same: [exportSchedules.format] },
    },
  ],
  exports: [
    whole('exportSchedules', async (owner) =>
      (await listExportSchedules(owner)).map(presentSchedule),
    ),
  ],
  readable: [
    copyOf('readable/transactions.csv', 'csv'),
    copyOf('readable/journal.hledger', 'hledger'),
  ],
}
