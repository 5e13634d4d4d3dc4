import type { Area } from '../../area.ts'
import * as activity from './activity/activity.routes.ts'
import * as administration from './administration/administration.routes.ts'
import * as groups from './groups.routes.ts'
import * as invites from './invites/invites.routes.ts'
import * as members from './members/members.routes.ts'
import * as summary from './summary/summary.routes.ts'

export const groupsArea: Area = {
  tag: 'Groups',
  operations: [invites, groups, members, summary, activity, administration],
}
