import { permissionsOfRole, type SystemRole } from '../../../../domain/permissions.ts'
import { type Context, freshId, type Profile } from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { profileFrom } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { whenAddressTaken } from '../../addresses/addresses.public.ts'
import {
  type Challenge,
  grantRoles,
  insertUser,
  newChallenge,
  newSession,
  ofUser,
  revokeRolesBut,
  sessionEvents,
  type SignIn,
  type SignInSource,
  updateUserRow,
} from '../../auth/auth.public.ts'
import {
  mustLeaveAnAdministrator,
  userEvents,
} from '../../user-administration/user-administration.public.ts'
import { signInErrors } from '../identity-providers.errors.ts'
import { newcomerEvents } from '../identity-providers.events.ts'
import {
  type CodeRow,
  codeToSwap,
  insertIdentity,
  type LinkedRow,
  mustStillBeLinked,
  providerMustStillBe,
  type SignInRole,
  rolesOfCode,
  spendCode,
  userLinkedTo,
  userWithEmailOf,
} from './sign-in.queries.ts'
import { rolesAfter } from './sign-in.rules.ts'

/**
 * Swaps a code for a session: of the user that the identity belongs to, or of a new one. Asks for the
 * second factor of a user who has one.
 */
export async function exchangeProviderCode(
  ctx: Context,
  code: string,
): Promise<SignIn | Challenge> {
  const codeHash = sha256Text(code)
  const [[confirmed], [linked], [namesake], roles] = await read(
    ctx,
    codeToSwap(ctx, codeHash),
    userLinkedTo(codeHash),
    userWithEmailOf(codeHash),
    rolesOfCode(codeHash),
  )
  if (!confirmed) {
    throw signInErrors.invalidCode()
  }
  if (linked) {
    if (linked.status !== 'active') {
      throw signInErrors.userDisabled()
    }
    const { user, changes } = withRolesAfter(ctx, linked, roles, sourceOf(confirmed))
    const writes = [mustStillBeLinked(linked, confirmed)]
    const entry = { codeHash, confirmed, user, isNew: false, writes, changes }
    return user.mfaEnabled ? challenge(ctx, entry) : enter(ctx, entry)
  }
  if (namesake) {
    throw signInErrors.linkRequired()
  }
  if (confirmed.auto_provision !== 1) {
    throw signInErrors.notProvisioned()
  }
  const user = newcomer(ctx, confirmed, roles)
  const { issuer, subject, email } = confirmed
  const { id, name, baseCurrency, locale, timeZone } = user
  const stamps = { createdAt: ctx.now, updatedAt: ctx.now }
  const writes = [
    insertUser({
      id,
      email,
      name,
      passwordHash: null,
      emailVerifiedAt: ctx.now,
      baseCurrency,
      locale,
      timeZone,
      ...stamps,
    }),
    grantRoles(id, idsOf(user.roles)),
    insertIdentity({ id: freshId(ctx, 'ext'), userId: id, issuer, subject, createdAt: ctx.now }),
  ]
  return enter(ctx, { codeHash, confirmed, user, isNew: true, writes, changes: [] })
}

interface Entry {
  codeHash: string
  confirmed: CodeRow
  user: Profile
  isNew: boolean
  writes: Statement[]
  /** Further changes of the user by the sign-in. */
  changes: Change[]
}

async function enter(ctx: Context, entry: Entry): Promise<SignIn> {
  const { confirmed, user, isNew } = entry
  const session = await newSession(ctx, user)
  const source = sourceOf(confirmed)
  return commit(ctx, {
    actorId: user.id,
    changes: [
      entranceOf(entry),
      ...entry.changes,
      {
        statements: session.writes,
        events: [
          isNew
            ? newcomerEvents.provisioned(
                { id: user.id, version: user.version },
                { ...source, roleIds: idsOf(user.roles) },
              )
            : sessionEvents.created({ id: session.id }, source),
        ],
      },
    ],
    result: session.signIn,
    conflicts: {
      ...whenAddressTaken(() => signInErrors.linkRequired()),
      'external_identities.issuer': () => signInErrors.invalidCode(),
    },
  })
}

/** Starts a challenge: the provider's confirmation replaces the password, but the second factor is the user's own. */
async function challenge(ctx: Context, entry: Entry): Promise<Challenge> {
  const { confirmed, user } = entry
  const waiting = await newChallenge(ctx, user.id)
  return commit(ctx, {
    changes: [
      entranceOf(entry),
      ...entry.changes,
      {
        statements: waiting.writes,
        events: [sessionEvents.challenged(ofUser(user.id), sourceOf(confirmed))],
      },
    ],
    result: waiting.challenge,
  })
}

const sourceOf = ({ provider_id, issuer }: CodeRow) => ({ provider: provider_id, issuer })

const entranceOf = ({ codeHash, confirmed, writes }: Entry): Change =>
  withoutEvents([
    ...spendCode(codeHash, signInErrors.invalidCode),
    providerMustStillBe(confirmed.provider_id, confirmed.provider_version),
    ...writes,
  ])

const idsOf = (roles: { id: string }[]) => roles.map(({ id }) => id)

/** A user with the roles that the provider gives them, and without those that it takes. */
function withRolesAfter(
  ctx: Context,
  linked: LinkedRow,
  rows: SignInRole[],
  source: SignInSource,
): { user: Profile; changes: Change[] } {
  const held = JSON.parse(linked.roles) as HeldRole[]
  const keepsAdmin = linked.is_last_administrator === 1
  const decided = rows.filter(
    ({ is_mapped, system }) => is_mapped === 1 && !(keepsAdmin && system === 'admin'),
  )
  const roles = rolesAfter(held, decided.map(heldFrom))
  const before = { roleIds: idsOf(held).toSorted() }
  const after = { roleIds: idsOf(roles).toSorted() }
  if (before.roleIds.join(' ') === after.roleIds.join(' ')) {
    return { user: profileFrom(linked), changes: [] }
  }
  const { user_id: id, version } = linked
  const stamps = { version: version + 1, updated_at: ctx.now }
  const user = profileFrom({ ...linked, ...stamps, roles: JSON.stringify(roles) })
  const statements = [
    ...(roles.some(({ system }) => system === 'admin')
      ? []
      : [mustLeaveAnAdministrator(id, changedMeanwhile)]),
    ...updateUserRow(ctx, { id, version }, {}),
    revokeRolesBut(id, after.roleIds),
    grantRoles(id, after.roleIds),
  ]
  const changed = userEvents.rolesChanged(
    { id, version: user.version },
    { before, after, ...source },
  )
  return { user, changes: [{ statements, events: [changed] }] }
}

interface HeldRole {
  id: string
  name: string
  system: SystemRole | null
  stored: string[]
}

const heldFrom = ({ id, name, system, stored, is_given }: SignInRole) => ({
  ...{ id, name, system, stored: JSON.parse(stored) as string[] },
  isGiven: is_given === 1,
})

function newcomer(ctx: Context, { email, name }: CodeRow, rows: SignInRole[]): Profile {
  const roles = rolesAfter(
    rows.filter(({ is_default }) => is_default === 1).map(heldFrom),
    rows.filter(({ is_mapped }) => is_mapped === 1).map(heldFrom),
  )
  return {
    id: freshId(ctx, 'usr'),
    email,
    name,
    baseCurrency: 'EUR',
    locale: 'en',
    timeZone: 'UTC',
    emailVerified: true,
    mfaEnabled: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    roles: roles.map(({ id, name: label, system }) => ({ id, name: label, system })),
    permissions: [
      ...new Set(roles.flatMap(({ system, stored }) => permissionsOfRole(system, stored))),
    ],
  }
}
