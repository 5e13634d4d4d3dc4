import { describe, expect, it } from 'vitest'
import {
  login as loginRoute,
  loginMfa,
  refreshToken as refreshTokenRoute,
} from '../../src/areas/identity/auth/auth.routes.ts'
import { turnMfaOn } from '../areas/auth/authenticator.ts'
import { call, ok } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { serviceWith } from '../support/service.ts'
import { newUser, type TestUser } from '../support/world.ts'

describe('of the ways in, two trips are enough for', () => {
  const login = ({ email, password }: TestUser, word = password, service = serviceWith({})) =>
    service.call<{ mfaToken: string }>(loginRoute, { json: { email, password: word } })

  const refresh = (refreshToken: string, service = serviceWith({})) =>
    service.call(refreshTokenRoute, { json: { refreshToken } })

  const cases: [string, number, () => Promise<{ status: number; headers: Headers }>][] = [
    ['a login', 200, async () => login(await newUser())],
    ['a login with a wrong password', 401, async () => login(await newUser(), 'not the right one')],
    [
      'a login whose password is hashed anew',
      200,
      async () => login(await newUser(), undefined, serviceWith({ env: { PASSWORD_COST: '2' } })),
    ],
    [
      'a login that asks for the second factor',
      200,
      async () => {
        const me = await newUser()
        await turnMfaOn(me)
        return login(me)
      },
    ],
    ['the second factor, by a recovery code', 200, async () => finish(0)],
    [
      'the second factor, by a wrong code',
      401,
      async () => finish('abcd-efgh-ijkl-mnop-qrst-uvwx'),
    ],
    ['a refresh', 200, async () => refresh((await newUser()).refreshToken)],
    [
      'the reuse of a refresh token',
      401,
      async () => {
        const { refreshToken } = await newUser()
        await ok(refreshTokenRoute, { json: { refreshToken } })
        return refresh(refreshToken)
      },
    ],
  ]

  async function finish(code: string | number) {
    const me = await newUser()
    const { recoveryCodes } = await turnMfaOn(me)
    const { mfaToken } = (await login(me)).body
    const json = { mfaToken, code: typeof code === 'string' ? code : (recoveryCodes[code] ?? '') }
    return call(loginMfa, { json })
  }

  it.each(cases)('%s', async (_, expected, ask) => {
    const { status, headers } = await ask()
    expect([status, costOf(headers).trips]).toEqual([expected, 2])
  })

  it('all but a reuse that comes between looking and swapping, which takes a third', async () => {
    const { refreshToken } = await newUser()
    let isFirst = true
    const slow = serviceWith({
      meanwhile: async () => {
        if (isFirst) {
          isFirst = false
          await refresh(refreshToken)
        }
      },
    })
    const { status, headers } = await refresh(refreshToken, slow)
    expect([status, costOf(headers).trips]).toEqual([401, 3])
  })
})
