import { expect, it } from 'vitest'
import { register as registerRoute } from '../../../src/areas/identity/auth/auth.routes.ts'
import { rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { serviceWithMail } from './mails.ts'

// Where everybody may register, the answer tells that an address is taken: to few, and not behind its owner's back.

const HOUR = 60 * 60 * 1000
const env = { CLIENT_IP_HEADER: 'X-Client', LOGIN_LIMIT_CLIENT: '100' }

const person = (email = `new-${crypto.randomUUID()}@coffer.test`) => ({
  email,
  password: 'seven green bottles',
  name: 'Ada',
})

const serviceFor = (client: string, ahead = 0) => {
  const service = serviceWithMail({ env, ahead })
  const register = async (email?: string) => {
    const headers = { 'X-Client': client }
    const { status, error } = await service.call(registerRoute, { json: person(email), headers })
    return [status, error.code]
  }
  return { ...service, register }
}

it('tells one client of ten taken addresses in an hour, and then of no address at all', async () => {
  const client = crypto.randomUUID()
  const { register } = serviceFor(client)
  const { email } = await newUser()
  for (let at = 0; at < 10; at++) {
    expect(await register(email)).toEqual([409, 'auth.emailTaken'])
  }
  expect(await register(email)).toEqual([429, 'request.limited'])
  expect(await register()).toEqual([429, 'request.limited'])
  expect(await serviceFor(crypto.randomUUID()).register(email)).toEqual([409, 'auth.emailTaken'])
  expect(await serviceFor(client, 59 * 60_000).register()).toEqual([429, 'request.limited'])
  expect(await serviceFor(client, HOUR).register()).toEqual([201, undefined])
})

it('tells of more in a development build, so that the quick start can be repeated', async () => {
  const headers = { 'X-Client': crypto.randomUUID() }
  const service = serviceWithMail({ env: { CLIENT_IP_HEADER: 'X-Client', LOGIN_LIMIT_CLIENT: '' } })
  const { email } = await newUser()
  for (let at = 0; at < 30; at++) {
    const { status } = await service.call(registerRoute, { json: person(email), headers })
    expect(status).toBe(409)
  }
  expect((await service.call(registerRoute, { json: person(), headers })).status).toBe(201)
})

it('tells no more of them in parallel', async () => {
  const { register } = serviceFor(crypto.randomUUID())
  const { email } = await newUser()
  const answers = await Promise.all(Array.from({ length: 30 }, () => register(email)))
  expect(answers.filter(([status]) => status === 409).length).toBe(10)
  expect(answers.filter(([status]) => status === 429).length).toBe(20)
})

it('counts who is second with an address that was free a moment before', async () => {
  const { register } = serviceFor(crypto.randomUUID())
  const { email } = person()
  const answers = await Promise.all(Array.from({ length: 15 }, () => register(email)))
  const count = (wanted: number) => answers.filter(([status]) => status === wanted).length
  expect([count(201), count(409), count(429)]).toEqual([1, 10, 4])
  expect(await register()).toEqual([429, 'request.limited'])
})

it('tells the owner of the address by mail, once an hour', async () => {
  const { email } = await newUser()
  const here = serviceFor(crypto.randomUUID())
  await here.register(email.toUpperCase())
  const [letter, ...others] = await here.letters()
  expect([letter?.to, letter?.subject, others]).toEqual([
    email,
    'Somebody tried to register your address at Coffer',
    [],
  ])
  const there = serviceFor(crypto.randomUUID())
  expect(await there.register(email)).toEqual([409, 'auth.emailTaken'])
  expect(await there.letters()).toEqual([])
  const later = serviceFor(crypto.randomUUID(), HOUR)
  await later.register(email)
  expect(await later.letters()).toHaveLength(1)
})

it('writes to nobody who is disabled', async () => {
  const { id, email } = await newUser()
  await rows("UPDATE users SET status = 'disabled' WHERE id = ?", id)
  const { register, letters } = serviceFor(crypto.randomUUID())
  expect(await register(email)).toEqual([409, 'auth.emailTaken'])
  expect(await letters()).toEqual([])
})
