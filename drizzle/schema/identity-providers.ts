import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, stamps } from '../columns.ts'
import { roles } from './system.ts'

/** Who else may say who a user is: one OpenID Connect provider for one e-mail domain. */
export const identityProviders = sqliteTable('identity_providers', {
  id: id(),
  name: text('name').notNull(),
  nameKey: text('name_key').notNull().unique(),
  /** As the DNS spells it: lower case, A-labels. */
  domain: text('domain').notNull().unique(),
  /** Compared to the byte with what the provider says of itself. */
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** Sealed; see platform/sealed-columns.ts. */
  clientSecret: text('client_secret').notNull(),
  scopes: text('scopes').notNull(),
  enabled: flag('enabled').notNull(),
  autoProvision: flag('auto_provision').notNull(),
  /** What users get that it brings; null for the system role `user`. */
  defaultRoleId: text('default_role_id').references(() => roles.id),
  emailClaim: text('email_claim').notNull(),
  nameClaim: text('name_claim').notNull(),
  ...stamps,
})
