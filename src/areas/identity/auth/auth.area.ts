import type { Area } from '../../area.ts'
import * as auth from './auth.routes.ts'
import { mailToNobodyJob } from './password/password.jobs.ts'

export const authArea: Area = {
  tag: 'Authentication',
  operations: [auth],
  jobs: [mailToNobodyJob],
}
