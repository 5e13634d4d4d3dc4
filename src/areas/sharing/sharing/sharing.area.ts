import type { Area } from '../../area.ts'
import * as accounts from './accounts/accounts.routes.ts'
import * as admin from './admin/admin.routes.ts'
import { shareNoticesReader } from './notices/notices.readers.ts'
import * as sharing from './sharing.routes.ts'

export const sharingArea: Area = {
  tag: 'Sharing',
  operations: [sharing, accounts, admin],
  readers: [shareNoticesReader],
}
