import type { Area } from '../../area.ts'
import * as auditLog from './audit-log.routes.ts'
import { cutLogJob, storeSegmentsJob, sealLogSweep, makeLogExportJob } from './audit-log.jobs.ts'

export const auditLogArea: Area = {
  tag: 'Audit log',
  operations: [auditLog],
  jobs: [makeLogExportJob, storeSegmentsJob, cutLogJob],
  nightly: [storeSegmentsJob, cutLogJob],
  sweeps: [sealLogSweep],
}
