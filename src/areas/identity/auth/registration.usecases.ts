import { addressKey } from '../../../domain/email.ts'
import { AppError } from '../../../domain/errors.ts'
import { permissionsOfRole } from '../../../domain/permissions.ts'
import { type Context, freshId, type Profile } from '../../../platform/context.ts'
import { sha256Text } from '../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import {
  clientOf,
  countTry,
  type Limit,
  limitOf,
  mustHaveTriesLeft,
  noteTry,
  requireTriesLeft,
  triesOf,
  usedUpUntil,
} from '../../../platform/limits.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import { nothing, type Statement } from '../../../platform/database/statements.ts'
import { whenAddressTaken } from '../addresses/addresses.public.ts'
import type { NewTask } from '../../../platform/work/task-rows.ts'
import {
  type GroupOfCode,
  groupMemberEvents,
  groupOfCode,
  joinByCode,
} from '../memberships/memberships.public.ts'
import {
  settingMustStillBe,
  settingToRead,
  type SettingValues,
} from '../settings/settings.public.ts'
import { authErrors } from './auth.errors.ts'
import { registrationEvents } from './auth.events.ts'
import { grantRoles, insertUser, userWithEmail } from './auth.queries.ts'
import { newSession, requireGoodPassword, type SignIn, confirmationFor } from './auth.usecases.ts'
import {
  redeemInvite,
  type RegistrationRole,
  rolesOfNewUser,
  usableInvite,
} from './registration.queries.ts'

export interface Registration {
  email: string
  password: string
  name: string
  inviteCode?: string | undefined
  baseCurrency: string
  locale: string
  timeZone: string
}

/** Creates a user and signs it in. */
export async function register(ctx: Context, wanted: Registration): Promise<SignIn> {
  const { inviteCode } = wanted
  const limits = await limitsOf(ctx, wanted)
  const codeHash = inviteCode === undefined ? undefined : sha256Text(inviteCode)
  const [[policy], roles, tries, [taken], [invite], [group]] = await read(
    ctx,
    settingToRead(ctx, 'registration'),
    rolesOfNewUser(codeHash),
    triesOf(Object.values(limits)),
    userWithEmail(wanted.email),
    codeHash === undefined ? nothing<{ id: string }>() : usableInvite(ctx, codeHash),
    codeHash === undefined ? nothing<GroupOfCode>() : groupOfCode(codeHash),
  )
  requireRegistration(policy?.value, inviteCode)
  requireGoodPassword(wanted.password, { ...wanted, mfaEnabled: false }, 'password')
  // Also for an address that is free: else the refusal would tell which one is not.
  requireTriesLeft(ctx, [limits.client, limits.learnt], tries)
  if (codeHash !== undefined && !invite) {
    return refuseCode(ctx, limits, authErrors.invalidInvite({ field: 'inviteCode' }))
  }
  if (taken) {
    const isTriedBefore =
      usedUpUntil(ctx, limits.takenAddress, tries) !== undefined || taken.status !== 'active'
    return refuseAddress(
      ctx,
      limits,
      authErrors.emailTaken({ field: 'email' }),
      isTriedBefore ? undefined : taken.email,
    )
  }
  return enter(ctx, wanted, { roles, codeHash, group, limits })
}

/** The limits of attempts at registering. */
interface RegistrationLimits {
  client: Limit
  /** The limit of taken addresses that the client learns of. */
  learnt: Limit
  /** The limit of mails that reveal the user of an address. */
  takenAddress: Limit
}

const limitsOf = async (ctx: Context, { email }: Registration): Promise<RegistrationLimits> => ({
  client: await registrationLimit(ctx),
  learnt: await limitOfTaken(ctx),
  takenAddress: await limitOf(ctx, `taken address ${addressKey(email)}`, 1, HOUR_MS),
})

const refuseCode = (ctx: Context, { client }: RegistrationLimits, why: AppError): Promise<never> =>
  refuseRegistration(ctx, why, { statements: countTry(ctx, client) })

/** @param toTell the address whose owner gets to know that somebody tried it */
async function refuseAddress(
  ctx: Context,
  { client, learnt, takenAddress }: RegistrationLimits,
  why: AppError,
  toTell?: string,
): Promise<never> {
  const isTriedBefore = toTell !== undefined
  return refuseRegistration(ctx, why, {
    statements: [
      ...countTry(ctx, client),
      ...countTry(ctx, learnt),
      ...(isTriedBefore ? [noteTry(ctx, takenAddress)] : []),
    ],
    tasks: isTriedBefore ? [await noticeOfTry(ctx, toTell)] : [],
  })
}

/** The data that was read for a new user. */
interface Entrance {
  roles: RegistrationRole[]
  codeHash: string | undefined
  group: GroupOfCode | undefined
  limits: RegistrationLimits
}

async function enter(
  ctx: Context,
  wanted: Registration,
  { roles, codeHash, group, limits }: Entrance,
): Promise<SignIn> {
  const { email } = wanted
  const user = newUser(ctx, wanted, roles)
  const passwordHash = await hashPassword(ctx, wanted.password)
  const session = await newSession(ctx, user)
  const confirmation = await confirmationFor(ctx, { userId: user.id, email })
  const { id, name, baseCurrency, locale, timeZone, createdAt, updatedAt } = user
  const entering = commit(ctx, {
    actorId: id,
    changes: [
      withoutEvents([...countTry(ctx, limits.client), mustHaveTriesLeft(ctx, limits.learnt)]),
      {
        statements: [
          insertUser({
            ...{ id, email, name, passwordHash, baseCurrency, locale, timeZone },
            ...{ createdAt, updatedAt },
          }),
          ...mayStillEnter(ctx, id, codeHash),
          grantRoles(
            id,
            roles.map((role) => role.id),
          ),
          ...session.writes,
          ...confirmation.writes,
        ],
        events: [registrationEvents.registered({ id, version: user.version })],
      },
      ...(codeHash !== undefined && group ? [joining(ctx, id, codeHash, group)] : []),
    ],
    tasks: [confirmation.task],
    result: session.signIn,
    conflicts: whenAddressTaken(() => authErrors.emailTaken({ field: 'email' })),
  })
  return entering.catch((error: unknown) => refuseLate(ctx, limits, error))
}

/** Others were first with the address or the code: that is a try like any other, which the failed commit did not count. */
function refuseLate(ctx: Context, limits: RegistrationLimits, error: unknown): Promise<never> {
  if (error instanceof AppError && error.code === authErrors.emailTaken().code) {
    return refuseAddress(ctx, limits, error)
  }
  if (error instanceof AppError && error.code === authErrors.invalidInvite().code) {
    return refuseCode(ctx, limits, error)
  }
  throw error
}

/** Guessing codes is counted together, whether by registering or by asking. */
export const registrationLimit = (ctx: Context): Promise<Limit> =>
  limitOf(ctx, `register client ${clientOf(ctx)}`, ctx.settings.loginLimitClient)

const HOUR_MS = 60 * 60 * 1000

/** The limit of registered addresses that a client learns of in an hour: a tenth of its tries in 15 minutes. */
const limitOfTaken = (ctx: Context): Promise<Limit> =>
  limitOf(
    ctx,
    `taken addresses client ${clientOf(ctx)}`,
    Math.ceil(ctx.settings.loginLimitClient / 10),
    HOUR_MS,
  )

const noticeOfTry = (ctx: Context, to: string): Promise<NewTask> =>
  mailTask(ctx, { to, template: 'registrationTried', values: { at: ctx.now } })

/** Learning who is registered is a try, too, and so is guessing a code. */
async function refuseRegistration(
  ctx: Context,
  why: AppError,
  { statements, tasks = [] }: { statements: Statement[]; tasks?: NewTask[] },
): Promise<never> {
  delete ctx.repeatable
  await commit(ctx, {
    changes: [{ statements, events: [registrationEvents.refused({ id: null })] }],
    tasks,
    result: undefined,
  })
  throw why
}

function requireRegistration(
  policy: SettingValues['registration'] | undefined,
  inviteCode: string | undefined,
): void {
  // Registrations with an invite code are decided together with the code.
  if (inviteCode === undefined && policy !== 'open') {
    throw policy === 'closed' ? authErrors.registrationClosed() : authErrors.inviteRequired()
  }
}

const mayStillEnter = (ctx: Context, userId: string, codeHash: string | undefined): Statement[] =>
  codeHash === undefined
    ? [settingMustStillBe(ctx, 'registration', 'open', authErrors.inviteRequired)]
    : redeemInvite(ctx, codeHash, userId)

const joining = (
  ctx: Context,
  userId: string,
  codeHash: string,
  { groupId, role, inviteId }: GroupOfCode,
): Change => ({
  statements: joinByCode(ctx, codeHash, { groupId, userId, role }),
  events: [
    groupMemberEvents.joined(
      { id: userId, ownerId: userId, groupId, version: 1 },
      { after: { role, inviteId } },
    ),
  ],
})

function newUser(ctx: Context, wanted: Registration, roles: RegistrationRole[]): Profile {
  const permissions = roles.flatMap(({ system, stored }) =>
    permissionsOfRole(system, JSON.parse(stored) as string[]),
  )
  return {
    id: freshId(ctx, 'usr'),
    email: wanted.email,
    name: wanted.name,
    baseCurrency: wanted.baseCurrency,
    locale: wanted.locale,
    timeZone: wanted.timeZone,
    emailVerified: false,
    mfaEnabled: false,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    roles: roles.map(({ id, name, system }) => ({ id, name, system })),
    permissions: [...new Set(permissions)],
  }
}
