import type { Area } from '../../area.ts'
import * as auth from './auth.routes.ts'
import * as email from './email/email.routes.ts'
import * as mfa from './mfa/mfa.routes.ts'
import { mailToNobodyJob } from './password/password.jobs.ts'
import * as password from './password/password.routes.ts'
import * as sessions from './sessions/sessions.routes.ts'

export const authArea: Area = {
  tag: 'Authentication',
  operations: [auth, sessions, password, email, mfa],
  jobs: [mailToNobodyJob],
}
