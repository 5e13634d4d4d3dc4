import { addressKey } from '../../../../domain/email.ts'
import { AppError } from '../../../../domain/errors.ts'
import { permissionsOfRole } from '../../../../domain/permissions.ts'
import { type Context, freshId, type Profile } from '../../../../platform/context.ts'
import { sha256Text } from '../../../../platform/crypto.ts'
import { commit, read } from '../../../../platform/database.ts'
import { type Change, untold } from '../../../../platform/events.ts'
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
} from '../../../../platform/limits.ts'
import { mailTask } from '../../../../platform/mail.ts'
import { hashPassword } from '../../../../platform/passwords.ts'
import { nothing, type Statement } from '../../../../platform/statements.ts'
import { whenAddressTaken } from '../../addresses/addresses.public.ts'
import type { NewTask } from '../../../../platform/task-rows.ts'
import {
  type GroupOfCode,
  groupMemberEvents,
  groupOfCode,
  joinByCode,
} from '../../memberships/memberships.public.ts'
import {
  settingMustStillBe,
  settingToRead,
  type SettingValues,
} from '../../settings/settings.public.ts'
import { authErrors } from '../auth.errors.ts'
import { registrationEvents } from '../auth.events.ts'
import { grantRoles, insertUser, userWithEmail } from '../auth.queries.ts'
import { newSession, requireGoodPassword, type SignIn } from '../auth.usecases.ts'
import { confirmationFor } from '../one-time-tokens/one-time-tokens.usecases.ts'
import { redeemInvite, type RoleRow, rolesOfNewUser, usableInvite } from './registration.queries.ts'

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
  const { inviteCode, email, name } = wanted
  const client = await registrationLimit(ctx)
  const learnt = await limitOfTaken(ctx)
  const told = await limitOf(ctx, `taken address ${addressKey(email)}`, 1, HOUR_MS)
  const codeHash = inviteCode === undefined ? undefined : sha256Text(inviteCode)
  const [[policy], roles, tries, [taken], [invite], [group]] = await read(
    ctx,
    settingToRead(ctx, 'registration'),
    rolesOfNewUser(codeHash),
    triesOf([client, learnt, told]),
    userWithEmail(email),
    codeHash === undefined ? nothing<{ id: string }>() : usableInvite(ctx, codeHash),
    codeHash === undefined ? nothing<GroupOfCode>() : groupOfCode(codeHash),
  )
  requireRegistration(policy?.value, inviteCode)
  requireGoodPassword(wanted.password, { ...wanted, mfaEnabled: false }, 'password')
  // Also for an address that is free: else the refusal would tell which one is not.
  requireTriesLeft(ctx, [client, learnt], tries)
  if (codeHash !== undefined && !invite) {
    return refuseRegistration(ctx, authErrors.invalidInvite({ field: 'inviteCode' }), {
      statements: countTry(ctx, client),
    })
  }
  if (taken) {
    const isTold = usedUpUntil(ctx, told, tries) !== undefined || taken.status !== 'active'
    return refuseRegistration(ctx, authErrors.emailTaken({ field: 'email' }), {
      statements: [
        ...countTry(ctx, client),
        ...countTry(ctx, learnt),
        ...(isTold ? [] : [noteTry(ctx, told)]),
      ],
      tasks: isTold ? [] : [await noticeOfTry(ctx, taken.email)],
    })
  }

  const user = newUser(ctx, wanted, roles)
  const passwordHash = await hashPassword(wanted.password, ctx.settings.passwordCost)
  const session = await newSession(ctx, user)
  const confirmation = await confirmationFor(ctx, { userId: user.id, email })
  const entering = commit(ctx, {
    actorId: user.id,
    changes: [
      untold([...countTry(ctx, client), mustHaveTriesLeft(ctx, learnt)]),
      {
        statements: [
          insertUser({
            id: user.id,
            email,
            name,
            passwordHash,
            baseCurrency: user.baseCurrency,
            locale: user.locale,
            timeZone: user.timeZone,
            createdAt: ctx.now,
            updatedAt: ctx.now,
          }),
          ...mayStillEnter(ctx, user.id, codeHash),
          grantRoles(
            user.id,
            roles.map(({ id }) => id),
          ),
          ...session.writes,
          ...confirmation.writes,
        ],
        events: [registrationEvents.registered({ id: user.id, version: user.version })],
      },
      ...(codeHash !== undefined && group ? [joining(ctx, user.id, codeHash, group)] : []),
    ],
    tasks: [confirmation.task],
    result: session.signIn,
    conflicts: whenAddressTaken(() => authErrors.emailTaken({ field: 'email' })),
  })
  // Others were first with the address or the code: that is a try like any other, which the failed commit did not count.
  return entering.catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined
    if (code === authErrors.emailTaken().code) {
      const statements = [...countTry(ctx, client), ...countTry(ctx, learnt)]
      return refuseRegistration(ctx, error as AppError, { statements })
    }
    if (code === authErrors.invalidInvite().code) {
      return refuseRegistration(ctx, error as AppError, { statements: countTry(ctx, client) })
    }
    throw error
  })
}

/** Guessing codes is counted together, whether by registering or by asking. */
export const registrationLimit = (ctx: Context): Promise<Limit> =>
  limitOf(ctx, `register client ${clientOf(ctx)}`, ctx.settings.loginLimitClient)

const HOUR_MS = 60 * 60 * 1000

/** How many registered addresses a client learns of in an hour: a tenth of its tries in 15 minutes. */
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
  // What an invite code opens is decided with the code.
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

function newUser(ctx: Context, wanted: Registration, roles: RoleRow[]): Profile {
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
