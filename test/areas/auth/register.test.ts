import { describe, expect, it } from 'vitest'
import { getMe, login, register } from '../../../src/areas/identity/auth/auth.routes.ts'
import { inviteAdministrator } from '../../../src/areas/identity/invites/invites.usecases.ts'
import { createRole } from '../../../src/areas/identity/roles/roles.routes.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'

const DAY = 24 * 60 * 60 * 1000

const person = (changed: Record<string, unknown> = {}) => ({
  email: `new-${crypto.randomUUID()}@coffer.test`,
  password: 'seven green bottles',
  name: 'Ada',
  ...changed,
})

const usersOf = (email: string) => rows('SELECT id FROM users WHERE email = ?', email)

describe('registration', () => {
  it('takes sensible values for what is not said', async () => {
    const json = person()
    const { user, accessToken } = await ok(register, { json })
    expect(user).toMatchObject({
      email: json.email,
      baseCurrency: 'EUR',
      locale: 'en',
      timeZone: 'UTC',
      emailVerified: false,
      mfaEnabled: false,
    })
    expect(await ok(getMe, { as: { accessToken } })).toEqual({ ...user, token: null })
    expect(user.permissions).not.toContain('roles.write')
  })

  it.each([
    ['no address', { email: undefined }, 'email'],
    ['no real address', { email: 'ada' }, 'email'],
    ['an address with a line break', { email: 'ada@coffer.test\n' }, 'email'],
    ['a list for an address', { email: ['ada@coffer.test'] }, 'email'],
    ['a long address', { email: `${'a'.repeat(250)}@coffer.test` }, 'email'],
    ['no password', { password: undefined }, 'password'],
    ['a number for a password', { password: 123_456_789_012_345 }, 'password'],
    ['a huge password', { password: 'long '.repeat(1000) }, 'password'],
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['an unknown currency', { baseCurrency: 'EUX' }, 'baseCurrency'],
    ['a currency in lower case', { baseCurrency: 'eur' }, 'baseCurrency'],
    ['an empty currency', { baseCurrency: '' }, 'baseCurrency'],
    ['a word of all objects for a currency', { baseCurrency: 'constructor' }, 'baseCurrency'],
    ['an unknown locale', { locale: 'english please' }, 'locale'],
    ['an empty locale', { locale: '' }, 'locale'],
    ['an unknown time zone', { timeZone: 'Mars/Olympus_Mons' }, 'timeZone'],
    ['an empty time zone', { timeZone: '' }, 'timeZone'],
    ['a null', { timeZone: null }, 'timeZone'],
    ['an unknown key', { admin: true }, 'admin'],
    ['roles', { roles: ['rol_admin'] }, 'roles'],
  ])('refuses %s', async (_, changed, field) => {
    const { status, error } = await call(register, {
      raw: { body: JSON.stringify(person(changed)) },
    })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })

  it.each(['[]', 'null', '"text"', '1', '{}'])('refuses the body %s', async (body) => {
    expect((await call(register, { raw: { body } })).status).toBe(400)
  })

  it('refuses a key that every object has', async () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const body = JSON.stringify(person()).replace('{', `{"${key}":{"name":"Eve"},`)
      const { status } = await call(register, { raw: { body } })
      expect(status, key).toBe(400)
    }
  })

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/problem+json',
    'application/json, text/plain',
    'json',
  ])('takes no body of the type %s', async (contentType) => {
    const raw = { body: JSON.stringify(person()), contentType }
    const { status, error } = await call(register, { raw })
    expect([status, error.code]).toEqual([415, 'request.unsupportedMediaType'])
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'takes a body of the type %s',
    async (contentType) => {
      const raw = { body: JSON.stringify(person()), contentType }
      expect((await call(register, { raw })).status).toBe(201)
    },
  )

  it('refuses an address that is registered, in whatever case', async () => {
    const { email } = await newUser()
    for (const again of [email, email.toUpperCase(), email.replace('u', 'U')]) {
      const { status, error } = await call(register, { json: person({ email: again }) })
      expect([status, error.code, error.field]).toEqual([409, 'auth.emailTaken', 'email'])
    }
  })

  it('leaves nothing of what it refuses', async () => {
    const json = person({ password: 'short' })
    await call(register, { json, headers: { 'Idempotency-Key': 'k' } })
    expect(await usersOf(json.email)).toEqual([])
    expect((await call(register, { json: { ...json, password: person().password } })).status).toBe(
      201,
    )
  })

  it('allows an address only so many registrations in fifteen minutes', async () => {
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const env = { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '2' }
    const service = serviceWith({ env })
    const { email } = await newUser()
    const statuses = []
    // Asking who is registered counts like registering.
    for (const json of [person(), person({ email }), person(), person({ email })]) {
      statuses.push((await service.call(register, { json, headers })).status)
    }
    expect(statuses).toEqual([201, 409, 429, 429])
    // The window in which it learnt of an address is the longer one.
    const later = serviceWith({ env, ahead: 60 * 60 * 1000 })
    expect((await later.call(register, { json: person(), headers })).status).toBe(201)
  })
})

describe('a password', () => {
  it.each([
    ['of 14 characters', 'fourteen chars', 'auth.passwordTooShort'],
    ['of 14 characters in 28 halves', '😀🐎🔋📎🎂🍏🚲🌧🎻🧊🪁🛶🧵🍋', 'auth.passwordTooShort'],
    ['of 129 characters', 'lorem ipsum '.repeat(11).slice(0, 129), 'auth.passwordTooLong'],
    ['that many use', 'password1234567', 'auth.passwordTooCommon'],
    ['that many use, decorated', 'Correct-Horse Battery_Staple 17', 'auth.passwordTooCommon'],
    ['that many use, in full width', 'ｐａｓｓｗｏｒｄ１２３４５６７', 'auth.passwordTooCommon'],
    ['of one character', 'a'.repeat(20), 'auth.passwordRepeats'],
    ['of one sign', '-'.repeat(20), 'auth.passwordRepeats'],
    ['of one word twice', 'greenbottle greenbottle ', 'auth.passwordRepeats'],
    ['of one syllable', 'abcabcabcabcabcab', 'auth.passwordRepeats'],
    ['of a word and digits', 'Sunsh1ne-20240817', 'auth.passwordIsCommonWords'],
    ['of two words and digits', 'MonkeyDragon2024', 'auth.passwordIsCommonWords'],
    ['of digits', '837461529408', 'auth.passwordTooShort'],
    ['of dates', '17081986 24121990', 'auth.passwordIsDigits'],
    ['of the alphabet', 'abcdefghijklmnop', 'auth.passwordIsSequence'],
    ['of the alphabet backwards', 'zyxwvutsrqponmlkj', 'auth.passwordIsSequence'],
    ['of the digits', '12345678901234567', 'auth.passwordIsSequence'],
    ['of the keyboard', 'qwertyuiopasdfgh', 'auth.passwordIsSequence'],
    ['of another keyboard', 'qwertzuiopasdfgh', 'auth.passwordIsSequence'],
    ['of the name of the service', 'Coffer coffer COFFER', 'auth.passwordIsPersonal'],
    ['of the service and a year', 'Coffer-Password-2026', 'auth.passwordIsPersonal'],
    ['that is the address', 'Somebody.Long@coffer.test', 'auth.passwordIsPersonal'],
    ['that is the address without its host', 'SOMEBODY.LONG.', 'auth.passwordTooShort'],
    ['that is the name', 'ada augusta lovelace', 'auth.passwordIsPersonal'],
    [
      'that is the name over and over',
      'Ada Augusta LovelaceAda Augusta',
      'auth.passwordIsPersonal',
    ],
  ])('%s is refused', async (_, password, code) => {
    const json = person({
      email: 'somebody.long@coffer.test',
      name: 'Ada Augusta Lovelace',
      password,
    })
    const { status, error } = await call(register, { json })
    expect([status, error.code, error.field]).toEqual([400, code, 'password'])
  })

  it.each([
    ['of 15 characters', 'fifteen charact'],
    [
      'of 128 characters',
      Array.from({ length: 4 }, () => crypto.randomUUID())
        .join('')
        .slice(0, 128),
    ],
    ['of 15 pictures', '😀🐎🔋📎🎂🍏🚲🌧🎻🧊🪁🛶🧵🍋🎈'],
    ['with spaces at its ends', '  seven green bottles  '],
    ['without digits or signs', 'sevengreenbottleshanging'],
  ])('%s is good', async (_, password) => {
    const json = person({ password })
    expect((await call(register, { json })).status).toBe(201)
    expect((await call(login, { json: { email: json.email, password } })).status).toBe(200)
  })

  it('is the same however its letters are composed', async () => {
    const json = person({ password: 'sieben grüne Flaschen'.normalize('NFC') })
    await ok(register, { json })
    const { email } = json
    const password = json.password.normalize('NFD')
    expect((await call(login, { json: { email, password } })).status).toBe(200)
  })

  it('is stored hashed only', async () => {
    const me = await newUser()
    const [user] = await rows<{ password_hash: string }>('SELECT * FROM users WHERE id = ?', me.id)
    expect(user?.password_hash).toMatch(/^\$scrypt\$ln=1,r=8,p=5\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(JSON.stringify(user)).not.toContain(me.password)
  })
})

describe('an invite code', () => {
  const invite = (ahead = 0) => inviteAdministrator(contextWith({ now: Date.now() + ahead }))

  it('makes its holder an administrator', async () => {
    const inviteCode = await invite()
    const { user, accessToken } = await ok(register, { json: person({ inviteCode }) })
    expect(user.roles.map(({ name }) => name).toSorted()).toEqual(['admin', 'user'])
    expect(user.permissions).toContain('roles.write')
    const me = await ok(getMe, { as: { accessToken } })
    expect(me.permissions.toSorted()).toEqual(user.permissions.toSorted())
  })

  const codeOfRole = async (roleId: string) => {
    const code = `inc_${crypto.randomUUID()}`
    await rows(
      'INSERT INTO invite_codes (id, code_hash, role_id, max_uses, created_at) VALUES (?, ?, ?, 1, 0)',
      code,
      sha256Text(code),
      roleId,
    )
    return code
  }

  it('may grant the role that everybody has', async () => {
    const inviteCode = await codeOfRole('rol_user')
    const { user } = await ok(register, { json: person({ inviteCode }) })
    expect(user.roles.map(({ id }) => id)).toEqual(['rol_user'])
  })

  it('grants a role with what is stored for it', async () => {
    const name = `Role ${crypto.randomUUID()}`
    const json = { name, permissions: ['roles.read' as const] }
    const role = await ok(createRole, { as: await newAdmin(), json })
    const inviteCode = await codeOfRole(role.id)
    const { user, accessToken } = await ok(register, { json: person({ inviteCode }) })
    expect(user.roles.map((one) => one.name).toSorted()).toEqual([name, 'user'])
    expect(user.permissions).toContain('roles.read')
    const me = await ok(getMe, { as: { accessToken } })
    expect(me.permissions.toSorted()).toEqual(user.permissions.toSorted())
  })

  it('can be guessed only so often in fifteen minutes', async () => {
    const headers = { 'CF-Connecting-IP': crypto.randomUUID() }
    const service = serviceWith({
      env: { CLIENT_IP_HEADER: 'CF-Connecting-IP', LOGIN_LIMIT_CLIENT: '2' },
    })
    const statuses = []
    for (const inviteCode of ['inc_a', 'inc_b', 'inc_c', await invite()]) {
      const json = person({ inviteCode })
      statuses.push((await service.call(register, { json, headers })).status)
    }
    expect(statuses).toEqual([400, 400, 429, 429])
  })

  it('works once, however many try at the same moment', async () => {
    const inviteCode = await invite()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(register, { json: person({ inviteCode }) })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, error } of refused) {
      expect([status, error.code, error.field]).toEqual([400, 'auth.invalidInvite', 'inviteCode'])
    }
  })

  it('is not used up by a registration that fails', async () => {
    const inviteCode = await invite()
    const { email } = await newUser()
    expect((await call(register, { json: person({ inviteCode, email }) })).status).toBe(409)
    expect((await call(register, { json: person({ inviteCode }) })).status).toBe(201)
  })

  it('expires after a week', async () => {
    const json = person({ inviteCode: await invite(-7 * DAY) })
    const { status, error } = await call(register, { json })
    expect([status, error.code]).toEqual([400, 'auth.invalidInvite'])
    const fresh = person({ inviteCode: await invite(-7 * DAY + 60_000) })
    expect((await call(register, { json: fresh })).status).toBe(201)
  })

  it.each(['inc_', 'x', 'inc_AAAAAAAAAAAAAAAAAAAAAA', "' OR 1=1--", '%'])(
    'that was never given out does not open: %s',
    async (inviteCode) => {
      const json = person({ inviteCode })
      const { status, error } = await call(register, { json })
      expect([status, error.code]).toEqual([400, 'auth.invalidInvite'])
      expect(await usersOf(json.email)).toEqual([])
    },
  )

  it('is stored hashed only', async () => {
    const code = await invite()
    const stored = JSON.stringify([
      await rows('SELECT * FROM invite_codes'),
      await rows("SELECT * FROM log_entries WHERE resource_type = 'inviteCode'"),
    ])
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(code.slice(4))
  })

  it.each([
    ['invite', 'auth.inviteRequired'],
    ['closed', 'auth.registrationClosed'],
  ])('is the only way in where registration is %s', async (REGISTRATION, code) => {
    const service = serviceWith({ env: { REGISTRATION } })
    const json = person()
    const stranger = await service.call(register, { json })
    expect([stranger.status, stranger.error.code]).toEqual([403, code])
    expect(await usersOf(json.email)).toEqual([])
    const wrong = await service.call(register, { json: person({ inviteCode: 'inc_x' }) })
    expect(wrong.status).toBe(400)
    const guest = person({ inviteCode: await invite() })
    expect((await service.call(register, { json: guest })).status).toBe(201)
  })
})
