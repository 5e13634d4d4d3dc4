import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { roles, users } from './system.ts'

/** OpenID Connect providers that may identify users, one for each e-mail domain. */
export const identityProviders = sqliteTable('identity_providers', {
  id: id(),
  name: text('name').notNull(),
  nameKey: text('name_key').notNull().unique(),
  /** The domain in the spelling of the DNS: lower case, A-labels. */
  domain: text('domain').notNull().unique(),
  /** Compared to the byte with what the provider says of itself. */
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  /** Sealed; see platform/secrets/sealed-columns.ts. */
  clientSecret: text('client_secret').notNull(),
  scopes: text('scopes').notNull(),
  enabled: flag('enabled').notNull(),
  autoProvision: flag('auto_provision').notNull(),
  /** The role of users that it brings; null for the system role `user`. */
  defaultRoleId: text('default_role_id').references(() => roles.id),
  /** True if all its addresses count as confirmed, whatever it says of them. */
  trustsEmail: flag('trusts_email').notNull(),
  emailClaim: text('email_claim').notNull(),
  nameClaim: text('name_claim').notNull(),
  /** The claim that decides who has the roles of the map; null where the provider decides of none. */
  roleClaim: text('role_claim'),
  /** Ids of roles by the values of that claim. */
  roleMap: text('role_map', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  ...stamps,
})

/** The identity of a user at a provider. A provider that is deleted and added again finds its users. */
export const externalIdentities = sqliteTable(
  'external_identities',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('external_identities_of_issuer').on(table.issuer, table.subject),
    index('external_identities_of_user').on(table.userId),
  ],
)

/** A sign-in on its way to a provider and back. Both parts are hashed: the browser has them. */
export const signInFlows = sqliteTable(
  'sign_in_flows',
  {
    stateHash: text('state_hash').primaryKey(),
    browserHash: text('browser_hash').notNull(),
    providerId: text('provider_id').notNull(),
    redirectUri: text('redirect_uri'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_flows_by_expiry').on(table.expiresAt)],
)

/** The confirmations of a provider, until they are exchanged for tokens. */
export const signInCodes = sqliteTable(
  'sign_in_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    providerId: text('provider_id').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    name: text('name').notNull(),
    /** Roles of the map that the provider gives; null where it decides of none. */
    roleIds: text('role_ids', { mode: 'json' }).$type<string[]>(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_codes_by_expiry').on(table.expiresAt)],
)
