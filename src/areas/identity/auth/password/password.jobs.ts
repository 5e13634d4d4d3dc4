import { commit } from '../../../../platform/database.ts'
import { mailEvents } from '../../../../platform/platform-events.ts'
import type { Job } from '../../../../platform/tasks.ts'
import { MAIL_TO_NOBODY } from './password.usecases.ts'

/** Does nothing: it is stored where a mail would be, so that asking for one costs the same for any address. */
export const mailToNobodyJob: Job = {
  kind: MAIL_TO_NOBODY,
  run: (ctx, payload, finish) => {
    const { id } = payload as { id: string }
    const change = { statements: finish, events: [mailEvents.dropped({ id })] }
    return commit(ctx, { changes: [change], result: undefined })
  },
}
