import type { Area } from '../../area.ts'
import * as invites from './invites.routes.ts'

export const invitesArea: Area = { operations: [invites] }
