import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { mailTask, requireMail } from '../../../platform/outbound/mail.ts'
import { hashPassword } from '../../../platform/secrets/passwords.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import type { NewTask } from '../../../platform/work/task-rows.ts'
import { whenAddressTaken } from '../addresses/addresses.public.ts'
import {
  confirmationFor,
  freshToken,
  insertOneTimeToken,
  insertUser,
  requireGoodPassword,
} from '../auth/auth.public.ts'
import { userErrors } from './user-administration.errors.ts'
import { userEvents } from './user-administration.events.ts'
import {
  grantKnownRoles,
  mustHoldRoles,
  roleOfEverybody,
  rolesByIds,
} from './user-administration.queries.ts'
import {
  type AdminUser,
  own,
  requireHeld,
  requireKnownRoles,
} from './user-administration.usecases.ts'

/** The days that a user who did not register has for choosing a password. */
const WELCOME_DAYS = 7

export interface NewUser {
  email: string
  password?: string | undefined
  name: string
  baseCurrency: string
  locale: string
  timeZone: string
  roleIds?: string[] | undefined
}

export async function createUser(ctx: SignedIn, wanted: NewUser): Promise<AdminUser> {
  const { roleIds, password: _, ...content } = wanted
  const [roles] = await read(ctx, roleIds === undefined ? roleOfEverybody() : rolesByIds(roleIds))
  requireKnownRoles(roles, roleIds ?? [])
  requireHeld(ctx, roles)
  const id = freshId(ctx, 'usr')
  const { passwordHash, writes, task } = await firstSteps(ctx, id, wanted)
  const granted = roles.map((role) => role.id)
  const user = { id, ...content, createdAt: ctx.now, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          mustHoldRoles(ctx, granted),
          insertUser({
            ...user,
            passwordHash,
            passwordChangedAt: ctx.now,
          }),
          ...grantKnownRoles(id, granted),
          ...writes,
        ],
        events: [
          userEvents.created(own({ id, version: 1 }), { after: { ...content, roleIds: granted } }),
        ],
      },
    ],
    tasks: [task],
    result: {
      ...user,
      roles,
      status: 'active',
      hasPassword: passwordHash !== null,
      passwordNeedsMfa: false,
      emailVerifiedAt: null,
      mfaEnabledAt: null,
      deletionDueAt: null,
      lastUsedAt: null,
      version: 1,
    },
    conflicts: whenAddressTaken(() => userErrors.emailTaken({ field: 'email' })),
  })
}

/** Prepares the first sign-in of a new user: with the given password, or by a mail in which the user chooses one. */
async function firstSteps(
  ctx: SignedIn,
  userId: string,
  { email, name, password }: NewUser,
): Promise<{ passwordHash: string | null; writes: Statement[]; task: NewTask }> {
  if (password !== undefined) {
    requireGoodPassword(password, { email, name, mfaEnabled: false }, 'password')
    const passwordHash = await hashPassword(ctx, password)
    return { passwordHash, ...(await confirmationFor(ctx, { userId, email })) }
  }
  requireMail(ctx)
  const token = await freshToken(ctx, 'pwr')
  const values = { token: token.text, days: WELCOME_DAYS }
  return {
    passwordHash: null,
    writes: insertOneTimeToken(ctx, {
      tokenHash: token.hash,
      purpose: 'passwordReset',
      userId,
      lifeMs: WELCOME_DAYS * 24 * 60 * 60 * 1000,
    }),
    task: await mailTask(ctx, { to: email, template: 'userCreated', values }),
  }
}
