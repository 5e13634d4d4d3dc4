import { type Created, carries, defineEvents, type Updated } from '../../../platform/log/events.ts'
import type { InviteCodeDraft, InviteRow } from './invites.queries.ts'
import type { InviteTerms } from './invites.rules.ts'

export const inviteCodeEvents = defineEvents('inviteCode', {
  created: carries<Created<InviteCodeDraft>>(),
  updated: carries<Updated<InviteTerms>>(),
  revoked: carries<Updated<Pick<InviteRow, 'state'>>>(),
  refused: carries(),
})
