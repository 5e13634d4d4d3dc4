import { expect, it } from 'vitest'
import { getServiceInfo } from '../../../src/areas/operations/service-info/service-info.routes.ts'
import { updateSettings } from '../../../src/areas/identity/settings/settings.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin } from '../../support/world.ts'

it('tells anybody the limits, and what is switched on', async () => {
  expect(await ok(getServiceInfo)).toEqual({
    pages: { defaultRows: 50, maximumRows: 200 },
    bodies: { maximumBytes: 1024 * 1024, maximumDepth: 64 },
    uploads: {
      maximumBytes: 25 * 1024 * 1024,
      allowedTypes: expect.arrayContaining(['application/pdf', 'image/jpeg']),
    },
    rateLimits: {
      windowSeconds: 900,
      triesPerAccount: 10,
      triesPerClient: 1_000_000,
      mailsPerAddress: 5,
    },
    features: { registration: 'open', mail: false, referenceRates: true, description: true },
  })
})

it('tells what administrators and operators chose', async () => {
  const as = await newAdmin()
  await ok(updateSettings, { as, json: { registration: 'closed' } })
  const service = serviceWith({
    env: {
      EXCHANGE_RATES_URL: '',
      LOGIN_LIMIT_ACCOUNT: '3',
      MAIL_FROM: 'a@b.example',
      MAIL: {} as never,
    },
  })
  const { body } = await service.call<object>(getServiceInfo)
  await ok(updateSettings, { as, json: { registration: null } })
  expect(body).toMatchObject({
    rateLimits: { triesPerAccount: 3 },
    features: { registration: 'closed', mail: true, referenceRates: false },
  })
  expect((await call(getServiceInfo)).body.features.registration).toBe('open')
})
