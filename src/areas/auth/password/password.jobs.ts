import { commit } from '../../../platform/database.ts'
import type { Job } from '../../../platform/tasks.ts'
import { MAIL_TO_NOBODY } from './password.usecases.ts'

/** Does nothing: it is stored where a mail would be, so that asking for one costs the same for any address. */
export const mailToNobodyJob: Job = {
  kind: MAIL_TO_NOBODY,
  run: (ctx, _payload, finish) =>
    commit(ctx, {
      action: 'mail.dropped',
      resource: { type: 'mail', id: null },
      writes: finish,
      result: undefined,
    }),
}
