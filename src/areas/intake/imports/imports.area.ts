import type { Area } from '../../area.ts'
import { importedRows } from './imports.hooks.ts'
import {
  commitImportJob,
  expireImportsJob,
  readImportJob,
  revertImportJob,
} from './imports.jobs.ts'
import * as imports from './imports.routes.ts'
import * as profiles from './profiles/profiles.routes.ts'

export const importsArea: Area = {
  tag: 'Imports',
  operations: [imports, profiles],
  jobs: [readImportJob, commitImportJob, revertImportJob, expireImportsJob],
  nightly: [expireImportsJob],
  hooks: [importedRows],
}
