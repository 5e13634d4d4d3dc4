import { personalAccessTokens } from '../../../../drizzle/schema/auth.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** The tokens of a user end together with the user's sign-ins. */
export const accessTokenData: OwnedData = {
  area: 'access-tokens',
  tables: [personalAccessTokens],
}
