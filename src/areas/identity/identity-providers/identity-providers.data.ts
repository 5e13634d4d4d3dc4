import { sql } from 'drizzle-orm'
import {
  externalIdentities,
  identityProviders,
  signInCodes,
  signInFlows,
} from '../../../../drizzle/schema/identity-providers.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'
import { isAddressedToUser } from '../addresses/addresses.public.ts'

export const identityProviderData: OwnedData = {
  area: 'identity-providers',
  tables: [identityProviders, externalIdentities, signInFlows, signInCodes],
  purge: ({ now }) => [
    db.run(sql`DELETE FROM sign_in_flows WHERE expires_at <= ${now}`),
    db.run(sql`DELETE FROM sign_in_codes WHERE expires_at <= ${now}`),
  ],
  forget: (ctx, userId) => [
    db.run(sql`DELETE FROM sign_in_codes WHERE ${isAddressedToUser('sign_in_codes', userId)}
      OR EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = ${userId}
        AND i.issuer = sign_in_codes.issuer AND i.subject = sign_in_codes.subject)`),
    ...forgetBy(externalIdentities.userId)(ctx, userId),
  ],
}
