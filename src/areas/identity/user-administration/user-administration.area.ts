import type { Area } from '../../area.ts'
import * as users from './user-administration.routes.ts'

export const userAdministrationArea: Area = {
  tag: 'Users',
  operations: [users],
}
