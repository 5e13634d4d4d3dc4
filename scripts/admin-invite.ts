/** `npm run admin:invite`: a one-time code that makes whoever registers with it an administrator. */
import { withLocalService } from './lib/local-service.ts'
import { inviteAdministrator } from '../src/areas/auth/auth.usecases.ts'

const code = await withLocalService(({ makeContext }) =>
  inviteAdministrator(makeContext({ operation: 'adminInvite' })),
)
console.log(
  `Invite code for an administrator, good for one registration within 7 days:\n\n  ${code}\n`,
)
