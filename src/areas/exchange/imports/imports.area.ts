import type { Area } from '../../area.ts'
import * as booking from './booking/booking.routes.ts'
import * as formats from './formats/formats.routes.ts'
import { importedRows } from './imports.hooks.ts'
import {
  commitImportJob,
  expireImportsJob,
  readImportJob,
  revertImportJob,
} from './imports.jobs.ts'
import * as imports from './imports.routes.ts'
import * as profiles from './profiles/profiles.routes.ts'
import * as report from './report/report.routes.ts'
import * as reverting from './reverting/reverting.routes.ts'
import * as rows from './rows/rows.routes.ts'

export const importsArea: Area = {
  tag: 'Imports',
  operations: [formats, imports, booking, report, reverting, rows, profiles],
  jobs: [readImportJob, commitImportJob, revertImportJob, expireImportsJob],
  nightly: [expireImportsJob],
  hooks: [importedRows],
}
