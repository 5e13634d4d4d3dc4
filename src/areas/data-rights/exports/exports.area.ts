import type { Area } from '../../area.ts'
import { makeDataExportJob } from './exports.jobs.ts'
import * as exports from './exports.routes.ts'

export const exportsArea: Area = { operations: [exports], jobs: [makeDataExportJob] }
