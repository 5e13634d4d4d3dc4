import { describe, expect, it } from 'vitest'
import { registerUser } from '../../../src/areas/auth/auth.routes.ts'
import { getRegistrationPolicy } from '../../../src/areas/auth/policy/policy.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'

describe('the registration policy', () => {
  it.each(['open', 'invite', 'closed'])('tells that registration is %s', async (REGISTRATION) => {
    const service = serviceWith({ env: { REGISTRATION } })
    const { status, body } = await service.call(getRegistrationPolicy)
    expect([status, body]).toEqual([
      200,
      { mode: REGISTRATION, password: { minLength: 15, minLengthWithMfa: 8, maxLength: 128 } },
    ])
  })

  it('tells anybody, without the database', async () => {
    const { status, headers } = await call(getRegistrationPolicy)
    expect(status).toBe(200)
    expect(headers.get('Server-Timing')).toContain('0 trips')
  })

  it('names the lengths that registration goes by', async () => {
    const { password } = await ok(getRegistrationPolicy)
    const word = crypto.randomUUID()
    const statuses = []
    for (const length of [password.minLength - 1, password.minLength]) {
      const email = `policy-${crypto.randomUUID()}@coffer.test`
      const json = { email, password: word.slice(0, length), name: 'Ada' }
      statuses.push((await call(registerUser, { json })).status)
    }
    expect(statuses).toEqual([400, 201])
  })
})
