import type { Area } from '../../area.ts'
import * as auth from './auth.routes.ts'
import { mailToNobodyJob } from './credentials/credentials.jobs.ts'

export const authArea: Area = {
  tag: 'Authentication',
  operations: [auth],
  jobs: [mailToNobodyJob],
}
