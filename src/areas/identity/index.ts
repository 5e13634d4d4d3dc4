import type { Area } from '../area.ts'
import { accessArea } from './access/access.area.ts'
import { accessTokensArea } from './access-tokens/access-tokens.area.ts'
import { addressesArea } from './addresses/addresses.area.ts'
import { authArea } from './auth/auth.area.ts'
import { identityProvidersArea } from './identity-providers/identity-providers.area.ts'
import { invitesArea } from './invites/invites.area.ts'
import { membershipsArea } from './memberships/memberships.area.ts'
import { notificationsArea } from './notifications/notifications.area.ts'
import { rolesArea } from './roles/roles.area.ts'
import { settingsArea } from './settings/settings.area.ts'
import { userAdministrationArea } from './user-administration/user-administration.area.ts'

/**
 * The areas about users: their identity, permissions and access. Ranked: an area may import the public files of those
 * before it.
 */
export const identity: Area[] = [
  settingsArea,
  addressesArea,
  accessArea,
  membershipsArea,
  notificationsArea,
  authArea,
  rolesArea,
  userAdministrationArea,
  invitesArea,
  identityProvidersArea,
  accessTokensArea,
]
