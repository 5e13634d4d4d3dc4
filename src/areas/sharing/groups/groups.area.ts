import type { Area } from '../../area.ts'
import * as groups from './groups.routes.ts'
import * as invites from './invites/invites.routes.ts'

export const groupsArea: Area = {
  tag: 'Groups',
  operations: [invites, groups],
}
