import { expect, it } from 'vitest'
import {
  changeEmail,
  forgotPassword,
  register,
  resendConfirmation,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  createUser,
  resetUserPassword,
  updateUser,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { createGroupInvite } from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import { getProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { type AnyOptions, type AnyRoute, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'

// A release whose operator has named no mail server.

const service = serviceWith({ mailer: { kind: 'unbound' } })
const ask = (route: AnyRoute, options: AnyOptions) =>
  service.call<{ token: string | null }>(route, options)

const UNBOUND = [503, 'mail.unbound']

it('refuses what is of no use without a mail, and orders none', async () => {
  const [admin, user] = [await newAdmin(), await newUser()]
  const { id: groupId } = await ok(createGroup, { as: user, json: { name: 'Home' } })
  const email = `${crypto.randomUUID()}@coffer.test`
  for (const [route, options] of [
    [resendConfirmation, { as: user }],
    [changeEmail, { as: user, json: { email, password: user.password } }],
    [forgotPassword, { json: { email: user.email } }],
    [forgotPassword, { json: { email } }],
    [createUser, { as: admin, json: { email, name: 'Grace' } }],
    [resetUserPassword, { as: admin, id: user.id, json: { delivery: 'mail' } }],
    [createGroupInvite, { as: user, id: groupId, json: { role: 'member', email } }],
  ] as const) {
    expect(refusal(await ask(route, options))).toEqual(UNBOUND)
  }
  expect(
    await rows("SELECT 1 FROM tasks WHERE created_by = ? AND kind = 'mail.send'", user.id),
  ).toEqual([])
})

it('registers, and does by hand what mails do', async () => {
  const [admin, email] = [await newAdmin(), `${crypto.randomUUID()}@coffer.test`]
  const password = 'a sea of green tea'
  const joined = await ask(register, { json: { email, password, name: 'Grace' } })
  expect(joined.status).toBe(201)
  const { user, accessToken } = joined.body as unknown as {
    user: { id: string }
    accessToken: string
  }
  const as = { accessToken }
  expect(await ok(getProfile, { as })).toMatchObject({ emailVerified: false })
  const changed = await ask(updateUser, { as: admin, id: user.id, json: { emailVerified: true } })
  expect(changed.status).toBe(200)
  expect(await ok(getProfile, { as })).toMatchObject({ emailVerified: true })
  const json = { delivery: 'reveal' }
  const { body } = await ask(resetUserPassword, { as: admin, id: user.id, json })
  expect(body.token).toMatch(/^pwr_/)
  const given = { email: `${crypto.randomUUID()}@coffer.test`, name: 'Grace', password }
  expect((await ask(createUser, { as: admin, json: given })).status).toBe(201)
})
