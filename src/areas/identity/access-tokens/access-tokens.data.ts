import { personalAccessTokens } from '../../../../drizzle/schema/auth.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** What ends the sign-ins of a user ends its tokens. */
export const accessTokenData: OwnedData = {
  area: 'access-tokens',
  tables: [personalAccessTokens],
}
