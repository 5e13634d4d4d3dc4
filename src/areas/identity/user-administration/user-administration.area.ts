import type { Area } from '../../area.ts'
import * as creation from './creation/creation.routes.ts'
import * as credentials from './credentials/credentials.routes.ts'
import * as deletion from './deletion/deletion.routes.ts'
import * as grants from './grants/grants.routes.ts'
import * as users from './user-administration.routes.ts'

export const userAdministrationArea: Area = {
  tag: 'Users',
  operations: [users, creation, deletion, credentials, grants],
}
