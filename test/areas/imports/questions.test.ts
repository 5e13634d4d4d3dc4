import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/exchange/imports/imports.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { csv, uploaded } from './importing.ts'

describe('the sign of amounts', () => {
  const file = csv(
    [
      ...['2026-03-10,Pago nómina,1500.00', '2026-03-11,Devolución,20.00', '2026-03-12,Bizum,5.00'],
      '2026-03-14,Pago alquiler,-700.00',
    ],
    'Date,Description,Amount',
  )

  it('is asked of a credit card with a payment, and of no other account', async () => {
    const me = await newUser()
    const card = await newAccount(me, { type: 'creditCard' })
    const checking = await newAccount(me, { name: 'Everyday' })
    const onCard = await uploaded(me, file, { accountId: card.id })
    expect(onCard.questions).toMatchObject([{ key: 'sign', suggestion: 'reversed' }])
    const onChecking = await uploaded(me, file, { accountId: checking.id })
    expect(onChecking).toMatchObject({ state: 'previewed', mapping: { sign: 'asIs' } })
    // Also where only the answer says which account it is.
    const open = await uploaded(me, file)
    const answered = { as: me, id: open.id, json: { accountId: checking.id } }
    expect((await ok(setImportMapping, answered)).questions).toEqual([])
  })
})
