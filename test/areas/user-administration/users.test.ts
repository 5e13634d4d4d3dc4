import { describe, expect, it } from 'vitest'
import {
  login,
  verifyEmail,
  forgotPassword,
  resetPassword,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import {
  createUser,
  getUser,
  listUsers,
  updateUser,
} from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { codeIn, serviceWithMail } from '../auth/mails.ts'
import { giveRole, newRole } from '../roles/holders.ts'
import { freshEmail, logOf, rowOf, statusOf } from './people.ts'

describe('the list of users', () => {
  it('is newest first, in pages that neither repeat nor leave out', async () => {
    const as = await newAdmin()
    const { id: roleId } = await newRole([], as)
    const made: string[] = []
    for (let at = 0; at < 5; at++) {
      const { id } = await newUser()
      await giveRole(id, roleId)
      made.push(id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { users: { id: string }[]; count: number; nextCursor: string | null } = await ok(
        listUsers,
        { as, query: { roleId, limit: 2, ...(cursor === null ? {} : { cursor }) } },
      )
      expect(page.count).toBe(5)
      seen.push(...page.users.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(made.toSorted())
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  it.each([
    ['the address', ({ email }: { email: string }) => email.toUpperCase()],
    ['a part of it', ({ email }: { email: string }) => email.slice(5, 41)],
    ['the name in other case', ({ mark }: { mark: string }) => `ÄRNE STRASSE ${mark}`],
    [
      'a part of the name, decomposed',
      ({ mark }: { mark: string }) => `ärne straße ${mark}`.normalize('NFD'),
    ],
    ['the name in full width', ({ mark }: { mark: string }) => `ｓｔｒａßｅ ${mark}`],
  ])('finds a user by %s', async (_, disguise) => {
    const as = await newAdmin()
    const mark = crypto.randomUUID()
    const { id, email } = await newUser({ name: `Dr. Ärne Straße ${mark}` })
    const { users, count } = await ok(listUsers, {
      as,
      query: { search: disguise({ email, mark }) },
    })
    expect([count, users.map((user) => user.id)]).toEqual([1, [id]])
  })

  it('takes nothing in a search for a pattern', async () => {
    const as = await newAdmin()
    const name = `100% _ok_ ${crypto.randomUUID()} \\ ' "`
    const { id } = await newUser({ name })
    const found = await ok(listUsers, { as, query: { search: name } })
    expect(found.users.map((user) => user.id)).toEqual([id])
    for (const search of ['user-%@coffer.test', 'user-_', '*', "' OR 1=1--"]) {
      expect((await ok(listUsers, { as, query: { search } })).count).toBe(0)
    }
  })

  it('finds a user under the new name only', async () => {
    const as = await newAdmin()
    const [before, after] = [`Ölm ${crypto.randomUUID()}`, `Ül ${crypto.randomUUID()}`]
    const { id } = await newUser({ name: before })
    await ok(updateUser, { as, id, json: { name: after } })
    const countOf = async (search: string) => (await ok(listUsers, { as, query: { search } })).count
    expect([await countOf(before), await countOf(after.toLowerCase())]).toEqual([0, 1])
  })

  it('is filtered by state and role, together with a search', async () => {
    const as = await newAdmin()
    const name = `Filtered ${crypto.randomUUID()}`
    const { id: roleId } = await newRole([], as)
    const [plain, holder, disabled] = [
      await newUser({ name }),
      await newUser({ name }),
      await newUser({ name }),
    ]
    await giveRole(holder.id, roleId)
    await giveRole(disabled.id, roleId)
    await ok(updateUser, { as, id: disabled.id, json: { status: 'disabled' } })
    const idsOf = async (query: Record<string, string>) =>
      (await ok(listUsers, { as, query: { search: name, ...query } })).users.map(({ id }) => id)
    expect(await idsOf({})).toHaveLength(3)
    expect((await idsOf({ status: 'active' })).toSorted()).toEqual([plain.id, holder.id].toSorted())
    expect(await idsOf({ status: 'disabled' })).toEqual([disabled.id])
    expect(await idsOf({ status: 'deleted' })).toEqual([])
    expect(await idsOf({ roleId, status: 'active' })).toEqual([holder.id])
    expect(await idsOf({ roleId: 'rol_unknown' })).toEqual([])
  })

  it.each([
    ['a blank search', { search: ' \u00a0' }, 'search'],
    ['a state that does not exist', { status: 'erased' }, 'status'],
    ['a limit of 201', { limit: 201 }, 'limit'],
    ['a made-up cursor', { cursor: 'x.y' }, 'cursor'],
    ['an unknown filter', { name: 'x' }, 'name'],
  ])('refuses %s', async (_, query, field) => {
    const { status, error } = await call(listUsers, { as: await newAdmin(), query })
    expect([status, error.field]).toEqual([400, field])
  })

  it('does not take the cursor of another filter', async () => {
    const as = await newAdmin()
    const { nextCursor: cursor } = await ok(listUsers, {
      as,
      query: { limit: 1, status: 'active' },
    })
    const { status, error } = await call(listUsers, { as, query: { cursor: cursor ?? '' } })
    expect([status, error.code]).toEqual([400, 'request.invalidCursor'])
  })
})

describe('one user', () => {
  it('is shown with all that there is to administer, and no secret', async () => {
    const as = await newAdmin()
    const { id, email } = await newUser({
      name: 'Grace',
      baseCurrency: 'USD',
      timeZone: 'Asia/Tokyo',
    })
    const { body, headers, text } = await call(getUser, { as, id })
    expect(body).toEqual({
      id,
      email,
      name: 'Grace',
      status: 'active',
      roles: [{ id: 'rol_user', name: 'user' }],
      emailVerified: false,
      mfaEnabled: false,
      hasPassword: true,
      lastUsedAt: expect.any(String),
      deletionDueAt: null,
      baseCurrency: 'USD',
      locale: 'en',
      timeZone: 'Asia/Tokyo',
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(text).not.toContain((await rowOf(id)).password_hash)
    const headersKnown = { 'If-None-Match': headers.get('ETag') ?? '' }
    expect((await call(getUser, { as, id, headers: headersKnown })).status).toBe(304)
  })

  it('is 404 under an id that nobody has', async () => {
    const as = await newAdmin()
    for (const route of [getUser, updateUser] as const) {
      const json = route === updateUser ? { json: {} } : {}
      const { status, error } = await call(route, { as, id: someId('usr'), ...json })
      expect([status, error.code]).toEqual([404, 'users.notFound'])
    }
  })
})

describe('creating a user', () => {
  it('mails a code that sets the password within seven days', async () => {
    const as = await newAdmin()
    const service = serviceWithMail()
    const json = { email: freshEmail(), name: 'Grace', locale: 'en-IE' }
    const made = await service.call<{ id: string }>(createUser, { as, json })
    expect([made.status, made.headers.get('Server-Timing')]).toEqual([
      201,
      expect.stringContaining('2 trips'),
    ])
    expect(made.body).toMatchObject({
      ...json,
      status: 'active',
      roles: [{ id: 'rol_user', name: 'user' }],
      hasPassword: false,
      emailVerified: false,
      lastUsedAt: null,
      baseCurrency: 'EUR',
      timeZone: 'UTC',
      version: 1,
    })
    const [letter, ...others] = await service.letters()
    expect(letter).toMatchObject({ to: json.email, subject: 'Your Coffer account' })
    expect(others).toEqual([])
    const token = codeIn(letter)
    expect(made.text).not.toContain(token)
    expect(JSON.stringify(await logOf(made.body.id))).not.toContain(token)
    const password = `a fine password ${crypto.randomUUID()}`
    const reset = { json: { token, password } }
    const day = 24 * 60 * 60 * 1000
    expect((await serviceWith({ ahead: 7 * day }).call(resetPassword, reset)).status).toBe(400)
    const almost = serviceWith({ ahead: 7 * day - 60_000 })
    expect((await almost.call(resetPassword, reset)).status).toBe(200)
    expect((await call(login, { json: { email: json.email, password } })).status).toBe(200)
  })

  it('lets a user who came too late ask for another code', async () => {
    const as = await newAdmin()
    const { email } = await ok(createUser, { as, json: { email: freshEmail(), name: 'Late' } })
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email } })
    const token = codeIn((await service.letters())[0])
    const json = { token, password: `a fine password ${crypto.randomUUID()}` }
    expect((await call(resetPassword, { json })).status).toBe(200)
  })

  it('with a password lets in at once, and asks the address to be confirmed', async () => {
    const as = await newAdmin()
    const service = serviceWithMail()
    const { id: roleId } = await newRole(['roles.read'], as)
    const password = `a fine password ${crypto.randomUUID()}`
    const json = { email: freshEmail(), name: 'Grace', password, roleIds: [roleId, roleId] }
    const { status, body } = await service.call<{ roles: { id: string }[] }>(createUser, {
      as,
      json,
    })
    expect([status, body.roles.map(({ id }) => id)]).toEqual([201, [roleId]])
    expect(body).toMatchObject({ hasPassword: true, emailVerified: false })
    const { email } = json
    const signedIn = await call(login, { json: { email, password } })
    expect(signedIn.body).toMatchObject({ user: { permissions: ['roles.read'] } })
    const [letter] = await service.letters()
    expect((await call(verifyEmail, { json: { token: codeIn(letter) } })).status).toBe(200)
    expect(await ok(listUsers, { as, query: { search: email } })).toMatchObject({
      users: [{ emailVerified: true }],
    })
  })

  it('tells the log what was made, and by whom', async () => {
    const as = await newAdmin()
    const json = { email: freshEmail(), name: 'Grace', password: `a fine ${crypto.randomUUID()}` }
    const { id } = await ok(createUser, { as, json })
    const [entry] = await logOf(id)
    expect(entry).toMatchObject({ type: 'user.created', actor_id: as.id, owner_id: id })
    expect(JSON.parse(entry?.content ?? '')).toEqual({
      after: {
        email: json.email,
        name: 'Grace',
        baseCurrency: 'EUR',
        locale: 'en',
        timeZone: 'UTC',
        roleIds: ['rol_user'],
      },
    })
  })

  it('answers a repeated request with the same user', async () => {
    const as = await newAdmin()
    const json = { email: freshEmail(), name: 'Once' }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const [first, second] = [
      await call(createUser, { as, json, headers }),
      await call(createUser, { as, json, headers }),
    ]
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(await logOf(first.body.id)).toHaveLength(1)
  })

  it('makes one of many with the same address', async () => {
    const as = await newAdmin()
    const email = freshEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        call(createUser, {
          as,
          json: { email: at % 2 ? email.toUpperCase() : email, name: 'One' },
        }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(19)
    for (const { status, error } of refused) {
      expect([status, error.code, error.field]).toEqual([409, 'users.emailTaken', 'email'])
    }
  })

  it.each([
    ['no address', { email: undefined }, 'email'],
    ['an address that is none', { email: 'ada' }, 'email'],
    ['no name', { name: '' }, 'name'],
    ['a short password', { password: 'short' }, 'password'],
    ['its own address for a password', { password: 'AUTHOR@example.com' }, 'password'],
    ['a currency that does not exist', { baseCurrency: 'EUX' }, 'baseCurrency'],
    ['a time zone that does not exist', { timeZone: 'Mars' }, 'timeZone'],
    ['a role that does not exist', { roleIds: ['rol_user', 'rol_x'] }, 'roleIds.1'],
    ['too many roles', { roleIds: Array(101).fill('rol_user') }, 'roleIds'],
    ['an unknown field', { status: 'active' }, 'status'],
  ])('refuses %s', async (_, wrong, field) => {
    const json = { email: 'author@example.com', name: 'Ada', ...wrong }
    const as = await newAdmin()
    const { status, error } = await call(createUser, { as, raw: { body: JSON.stringify(json) } })
    expect([status, error.field]).toEqual([400, field])
  })
})

describe('changing a user', () => {
  it('changes only what is sent, and tells the log both images', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const before = await ok(getUser, { as, id })
    const json = { name: 'Grace', emailVerified: true }
    const after = await call(updateUser, { as, id, json })
    const { updatedAt } = after.body
    expect(after.body).toEqual({ ...before, ...json, version: 2, updatedAt })
    expect(after.headers.get('Server-Timing')).toContain('2 trips')
    expect(await ok(getUser, { as, id })).toEqual(after.body)
    const [entry] = await logOf(id)
    expect(entry).toMatchObject({ type: 'user.updated', actor_id: as.id, owner_id: id })
    expect(JSON.parse(entry?.content ?? '')).toEqual({
      before: { name: 'Ada', emailVerifiedAt: null },
      after: { name: 'Grace', emailVerifiedAt: expect.any(Number) },
    })
    expect((await ok(updateUser, { as, id, json: {} })).version).toBe(3)
  })

  it('unconfirms another address, asks it to be confirmed, and voids what the old one was mailed', async () => {
    const as = await newAdmin()
    const user = await newUser()
    await ok(updateUser, { as, id: user.id, json: { emailVerified: true } })
    const service = serviceWithMail()
    await service.call(forgotPassword, { json: { email: user.email } })
    const old = codeIn((await service.letters())[0])
    const email = freshEmail()
    const moved = await service.call(updateUser, { as, id: user.id, json: { email } })
    expect(moved.body).toMatchObject({ email, emailVerified: false })
    const letters = await service.letters()
    const letter = letters.find(({ to }) => to === email)
    expect(letters.find(({ to }) => to === user.email)).toMatchObject({
      subject: 'The e-mail address of your Coffer account was changed',
      text: expect.not.stringContaining(email),
    })
    const json = { token: old, password: `a fine password ${crypto.randomUUID()}` }
    expect((await call(resetPassword, { json })).error.code).toBe('auth.invalidToken')
    await ok(verifyEmail, { json: { token: codeIn(letter) } })
    expect(await ok(getUser, { as, id: user.id })).toMatchObject({ email, emailVerified: true })
    const { password } = user
    expect((await call(login, { json: { email, password } })).status).toBe(200)
    expect((await call(login, { json: { email: user.email, password } })).status).toBe(401)
    expect(await statusOf(user)).toBe(200)
  })

  it('moves nobody to an address of its own that it did not prove with its password', async () => {
    const as = await newAdmin()
    for (const json of [
      { email: freshEmail() },
      { email: freshEmail(), emailVerified: true },
      { emailVerified: true },
    ]) {
      const { status, error } = await call(updateUser, { as, id: as.id, json })
      expect([status, error.code]).toEqual([409, 'users.ownUser'])
    }
    expect((await rowOf(as.id)).email_key).toBe(as.email)
    const spelt = { name: 'Still me', email: as.email.replace('user', 'USER') }
    expect(await ok(updateUser, { as, id: as.id, json: spelt })).toMatchObject(spelt)
  })

  it('takes the word of the administrator for another address', async () => {
    const as = await newAdmin()
    const { id, email: old } = await newUser()
    const service = serviceWithMail()
    const json = { email: freshEmail(), emailVerified: true }
    expect((await service.call(updateUser, { as, id, json })).body).toMatchObject(json)
    // Only the old one is told.
    expect((await service.letters()).map(({ to }) => to)).toEqual([old])
  })

  it('leaves an address confirmed that is only spelt otherwise', async () => {
    const as = await newAdmin()
    const { id, email } = await newUser()
    await ok(updateUser, { as, id, json: { emailVerified: true } })
    const spelt = await ok(updateUser, { as, id, json: { email: email.toUpperCase() } })
    const [local = '', domain] = email.split('@')
    expect(spelt).toMatchObject({ email: `${local.toUpperCase()}@${domain}`, emailVerified: true })
  })

  it('refuses an address that somebody has, in any case', async () => {
    const as = await newAdmin()
    const [one, other] = [await newUser(), await newUser()]
    const json = { email: other.email.toUpperCase() }
    const { status, error } = await call(updateUser, { as, id: one.id, json })
    expect([status, error.code, error.field]).toEqual([409, 'users.emailTaken', 'email'])
    expect((await rowOf(one.id)).email_key).toBe(one.email)
  })

  it('disables at once, and ends what is open for good', async () => {
    const as = await newAdmin()
    const user = await newUser()
    expect(await statusOf(user)).toBe(200)
    const disabled = await ok(updateUser, { as, id: user.id, json: { status: 'disabled' } })
    expect(disabled.status).toBe('disabled')
    expect(await statusOf(user)).toBe(401)
    await ok(updateUser, { as, id: user.id, json: { status: 'active' } })
    expect(await statusOf(user)).toBe(401)
    const { email, password } = user
    expect((await call(login, { json: { email, password } })).status).toBe(200)
  })

  it.each([
    ['the state `deleted`', { status: 'deleted' }, 'status'],
    ['an address that is none', { email: 'x@' }, 'email'],
    ['an empty name', { name: '' }, 'name'],
    ['roles', { roleIds: [] }, 'roleIds'],
  ])('refuses %s', async (_, json, field) => {
    const { id } = await newUser()
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(updateUser, { as: await newAdmin(), id, raw })
    expect([status, error.field]).toEqual([400, field])
  })

  it('refuses a version that is not the latest, and a change that comes in between', async () => {
    const as = await newAdmin()
    const { id } = await newUser()
    const { headers } = await call(getUser, { as, id })
    const asked = {
      as,
      id,
      json: { name: 'Mine' },
      headers: { 'If-Match': headers.get('ETag') ?? '' },
    }
    const meanwhile = () => ok(updateUser, { as, id, json: { name: 'Theirs' } })
    expect((await serviceWith({ meanwhile }).call(updateUser, asked)).error).toMatchObject({
      code: 'request.stale',
    })
    expect((await call(updateUser, asked)).status).toBe(412)
    const unasked = { as, id, json: { name: 'Mine' } }
    expect((await serviceWith({ meanwhile }).call(updateUser, unasked)).error).toMatchObject({
      code: 'request.conflict',
    })
    expect((await ok(getUser, { as, id })).name).toBe('Theirs')
  })
})
