import { expect, it } from 'vitest'
import { logout, login, register } from '../../src/areas/identity/auth/auth.routes.ts'
import { createAttachment } from '../../src/areas/files/attachments/attachments.routes.ts'
import { createRole } from '../../src/areas/identity/roles/roles.routes.ts'
import { call, ok, rows } from '../support/api.ts'
import { serviceWith } from '../support/service.ts'
import { newAdmin, newUser } from '../support/world.ts'

const DAY = 24 * 60 * 60 * 1000

const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const wanted = () => ({ name: `Role ${crypto.randomUUID()}`, permissions: [] })
const rolesOf = ({ name }: { name: string }) => rows('SELECT id FROM roles WHERE name = ?', name)

it('gives the same answer to the same request, and says so', async () => {
  const as = await newAdmin()
  const json = wanted()
  const headers = newKey()
  const first = await call(createRole, { as, json, headers })
  expect([first.status, first.headers.has('Idempotency-Replayed')]).toEqual([201, false])
  for (let at = 0; at < 3; at++) {
    const again = await call(createRole, { as, json, headers })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'))
  }
  expect(await rolesOf(json)).toHaveLength(1)
})

it('refuses another request under the same key', async () => {
  const as = await newAdmin()
  const headers = newKey()
  const json = wanted()
  await ok(createRole, { as, json, headers })
  for (const other of [wanted(), { ...json, description: '' }]) {
    const { status, error } = await call(createRole, { as, json: other, headers })
    expect([status, error.code]).toEqual([409, 'idempotency.mismatch'])
  }
})

it('refuses a request with other parameters under the same key', async () => {
  const as = await newUser()
  const headers = newKey()
  const raw = { body: new TextEncoder().encode('one'), contentType: 'text/plain' }
  const send = (fileName: string) =>
    call(createAttachment, { as, query: { fileName }, raw, headers })
  expect((await send('one.txt')).status).toBe(201)
  expect((await send('one.txt')).status).toBe(201)
  const { status, error } = await send('two.txt')
  expect([status, error.code]).toEqual([409, 'idempotency.mismatch'])
})

it('knows strangers apart by what they send, where nobody is signed in', async () => {
  const headers = newKey()
  const person = (name: string) => ({
    email: `stranger-${crypto.randomUUID()}@coffer.test`,
    password: 'seven green bottles',
    name,
  })
  const [ada, eve] = [person('Ada'), person('Eve')]
  const first = await call(register, { json: ada, headers })
  const other = await call(register, { json: eve, headers })
  expect([first.status, other.status]).toEqual([201, 201])
  expect(other.body.user.email).toBe(eve.email)
  expect(other.headers.has('Idempotency-Replayed')).toBe(false)
  expect((await call(register, { json: ada, headers })).text).toBe(first.text)
  expect((await call(register, { json: eve, headers })).text).toBe(other.text)
})

it('knows a request again under another name of the service and another spelling of its path', async () => {
  const as = await newAdmin()
  const body = JSON.stringify(wanted())
  const headers = {
    ...newKey(),
    Authorization: `Bearer ${as.accessToken}`,
    'Content-Type': 'application/json',
  }
  const send = async (url: string) => {
    const response = await serviceWith({}).fetch(
      new Request(url, { method: 'POST', headers, body }),
    )
    return [response.status, await response.text()]
  }
  const first = await send('http://coffer.test/admin/roles')
  expect(first[0]).toBe(201)
  for (const url of [
    'https://coffer.example:8443/admin/roles',
    'http://coffer.test/%61dmin/roles',
  ]) {
    expect(await send(url), url).toEqual(first)
  }
})

it('keeps the keys of users and of operations apart', async () => {
  const [one, two] = await Promise.all([newAdmin(), newAdmin()])
  const headers = newKey()
  const answers = [
    await call(createRole, { as: one, json: wanted(), headers }),
    await call(createRole, { as: two, json: wanted(), headers }),
    await call(logout, { as: one, headers }),
    await call(login, { json: { email: two.email, password: two.password }, headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200])
  for (const answer of answers) {
    expect(answer.headers.has('Idempotency-Replayed')).toBe(false)
  }
})

it('has one effect and one answer, however many ask at the same moment', async () => {
  const as = await newAdmin()
  const json = wanted()
  const headers = newKey()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(createRole, { as, json, headers })),
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(await rolesOf(json)).toHaveLength(1)
  const log = await rows('SELECT id FROM log_entries WHERE resource_id = ?', answers[0]?.body.id)
  expect(log).toHaveLength(1)
})

it('has one effect when different requests race under one key', async () => {
  const as = await newAdmin()
  const headers = newKey()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(createRole, { as, json: wanted(), headers })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, error } of answers.filter((answer) => answer.status !== 201)) {
    expect([status, error.code]).toEqual([409, 'idempotency.mismatch'])
  }
})

it.each([
  ['empty', ''],
  ['long', 'x'.repeat(256)],
  ['in two', 'one two'],
  ['in two by a tab', 'one\ttwo'],
  ['not in ASCII', 'schlüssel'],
  ['given twice', 'one, two'],
])('refuses a key that is %s', async (_, key) => {
  const as = await newAdmin()
  const json = wanted()
  const refused = await call(createRole, { as, json, headers: { 'Idempotency-Key': key } })
  const { code, field } = refused.error
  expect([refused.status, code, field]).toEqual([
    400,
    'idempotency.malformedKey',
    'Idempotency-Key',
  ])
  expect(await rolesOf(json)).toEqual([])
})

it.each(['x', '!', '~'.repeat(255), "'; DROP TABLE roles; --".replaceAll(' ', '')])(
  'takes the key %s',
  async (key) => {
    const as = await newAdmin()
    const json = wanted()
    const headers = { 'Idempotency-Key': key }
    const first = await call(createRole, { as, json, headers })
    expect(first.status).toBe(201)
    expect((await call(createRole, { as, json, headers })).text).toBe(first.text)
  },
)

it('remembers for a day', async () => {
  const { email, password } = await newUser()
  const json = { email, password }
  const headers = newKey()
  const first = await call(login, { json, headers })
  const after = (ahead: number) => serviceWith({ ahead }).call(login, { json, headers })
  expect((await after(DAY - 60_000)).text).toBe(first.text)
  const next = await after(DAY + 60_000)
  expect(next.status).toBe(200)
  expect(next.headers.has('Idempotency-Replayed')).toBe(false)
  expect(next.text).not.toBe(first.text)
  expect((await after(DAY + 120_000)).text).toBe(next.text)
})

it('keeps nothing of what failed, so that it can be put right under the same key', async () => {
  const as = await newAdmin()
  const stored = () => rows('SELECT count(*) AS n FROM idempotency_keys')
  const taken = wanted()
  await ok(createRole, { as, json: taken })
  const headers = newKey()
  const before = await stored()
  const tries = [{ body: '{' }, { body: '{"name":""}' }, { body: JSON.stringify(taken) }]
  const statuses = []
  for (const raw of tries) {
    statuses.push((await call(createRole, { as, raw, headers })).status)
  }
  expect(statuses).toEqual([400, 400, 409])
  expect(await stored()).toEqual(before)
  expect((await call(createRole, { as, json: wanted(), headers })).status).toBe(201)
})

it('shows a kept answer to nobody whose session has ended or whose permission is gone', async () => {
  const as = await newAdmin()
  const json = wanted()
  const headers = newKey()
  await ok(createRole, { as, json, headers })
  await rows("DELETE FROM user_roles WHERE user_id = ? AND role_id = 'rol_admin'", as.id)
  expect((await call(createRole, { as, json, headers })).status).toBe(403)
  await ok(logout, { as })
  expect((await call(createRole, { as, json, headers })).status).toBe(401)
})

it('stores answers sealed: what is kept of a sign-in opens nothing', async () => {
  const headers = newKey()
  const json = {
    email: `sealed-${crypto.randomUUID()}@coffer.test`,
    password: 'seven green bottles',
    name: 'Ada Lovelace',
  }
  const { accessToken, refreshToken, user } = await ok(register, { json, headers })
  const stored = await rows('SELECT * FROM idempotency_keys')
  const text = JSON.stringify(stored)
  const secrets = [accessToken, refreshToken, user.id, json.email, json.name, json.password]
  for (const secret of [...secrets, headers['Idempotency-Key'], 'accessToken', btoa('{"access')]) {
    expect(text).not.toContain(secret)
  }
})

it('counts only for POST: other methods repeat themselves', async () => {
  const as = await newAdmin()
  const before = await rows('SELECT count(*) AS n FROM idempotency_keys')
  const { status } = await serviceWith({}).call(
    { method: 'get', path: '/admin/roles', responses: { 200: {} } },
    { as, headers: { 'Idempotency-Key': 'not a key at all' } },
  )
  expect(status).toBe(200)
  expect(await rows('SELECT count(*) AS n FROM idempotency_keys')).toEqual(before)
})
