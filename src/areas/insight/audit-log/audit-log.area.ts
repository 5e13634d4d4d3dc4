import type { Area } from '../../area.ts'
import * as auditLog from './audit-log.routes.ts'
import { sealLogSweep } from './chain/chain.jobs.ts'
import { makeLogExportJob } from './exports/exports.jobs.ts'
import { cutLogJob, storeSegmentsJob } from './segments/segments.jobs.ts'

export const auditLogArea: Area = {
  tag: 'Audit log',
  operations: [auditLog],
  jobs: [makeLogExportJob, storeSegmentsJob, cutLogJob],
  nightly: [storeSegmentsJob, cutLogJob],
  sweeps: [sealLogSweep],
}
