import type { Area } from '../../area.ts'
import * as invites from './invites.routes.ts'

export const invitesArea: Area = { tag: 'Invite codes', operations: [invites] }
