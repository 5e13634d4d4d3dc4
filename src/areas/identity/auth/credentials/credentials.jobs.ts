import { commit } from '../../../../platform/database/database.ts'
import { mailEvents } from '../../../../platform/log/platform-events.ts'
import { defineJob, payloadText } from '../../../../platform/work/payloads.ts'
import { MAIL_TO_NOBODY } from './password.usecases.ts'

/** Does nothing: it is stored where a mail would be, so that asking for one costs the same for any address. */
export const mailToNobodyJob = defineJob({
  kind: MAIL_TO_NOBODY,
  payload: { id: payloadText },
  run: (ctx, { id }, finish) => {
    const change = { statements: finish, events: [mailEvents.dropped({ id })] }
    return commit(ctx, { changes: [change], result: undefined })
  },
})
