import type { Area } from '../../area.ts'
import * as administration from './administration/administration.routes.ts'
import * as groups from './groups.routes.ts'
import * as invites from './invites/invites.routes.ts'
import * as members from './members/members.routes.ts'

export const groupsArea: Area = {
  tag: 'Groups',
  operations: [invites, groups, members, administration],
}
