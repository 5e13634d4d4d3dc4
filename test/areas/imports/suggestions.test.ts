import { expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { createImportProfile } from '../../../src/areas/intake/imports/profiles/profiles.routes.ts'
import { updateProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, type ImportBody, uploaded } from './importing.ts'

/** Neither the order of its dates nor its decimal mark is told. */
const open = (...shops: string[]) =>
  csv(shops.map((shop, at) => `0${at + 1}/02/2026,${shop},-${at + 1}.000`))

const suggested = ({ questions }: ImportBody) =>
  Object.fromEntries(
    questions.map(({ key, ...question }) => [
      key,
      (question as { suggestion?: string | null }).suggestion,
    ]),
  )

const answer = async (as: Principal, { id }: ImportBody, json: { dateOrder: 'DMY' | 'MDY' }) => {
  await ok(setImportMapping, { as, id, json: { ...json, decimal: ',' } })
  await committed(as, id)
}

it('an earlier import on the same account suggests answers, the newest first, and none is taken', async () => {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me, { name: 'Other' })]
  const query = { accountId: account.id }
  const first = await uploaded(me, open('TEA', 'MILK'), query)
  expect(suggested(first)).toEqual({ dateOrder: null, decimal: '.' })
  await answer(me, first, { dateOrder: 'MDY' })
  const second = await uploaded(me, open('CAKE', 'BREAD'), query)
  expect(second.state).toBe('questions')
  expect(suggested(second)).toEqual({ dateOrder: 'MDY', decimal: ',' })
  await answer(me, second, { dateOrder: 'DMY' })
  const third = await uploaded(me, open('SOUP', 'RICE'), query)
  expect(suggested(third)).toEqual({ dateOrder: 'DMY', decimal: ',' })
  const elsewhere = await uploaded(me, open('SOUP', 'RICE'), { accountId: other.id })
  expect(suggested(elsewhere)).toEqual({ dateOrder: null, decimal: '.' })
  const somebody = await newUser()
  const theirs = await newAccount(somebody)
  const { questions } = await uploaded(somebody, open('SOUP', 'RICE'), { accountId: theirs.id })
  expect(questions).toMatchObject([{ suggestion: null }, { suggestion: '.' }])
})

it('a profile for files of another shape suggests answers, and then the locale', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  await ok(updateProfile, { as: me, json: { locale: 'de-AT' } })
  const byLocale = await uploaded(me, open('TEA', 'MILK'), query)
  expect(suggested(byLocale)).toEqual({ dateOrder: 'DMY', decimal: ',' })
  const mapping = { format: 'csv' as const, dateOrder: 'MDY' as const, decimal: '.' as const }
  await ok(createImportProfile, {
    as: me,
    json: { name: 'Other bank', format: 'csv', mapping, shape: ['when', 'what', 'how much'] },
  })
  const byProfile = await uploaded(me, open('CAKE', 'BREAD'), query)
  expect(suggested(byProfile)).toEqual({ dateOrder: 'MDY', decimal: '.' })
})

it('a built-in profile knows the order of days, whatever the locale says', async () => {
  const me = await newUser()
  await ok(updateProfile, { as: me, json: { locale: 'de-AT' } })
  const { id: accountId } = await newAccount(me, { currency: 'USD' })
  const file = csv(
    ['DEBIT,03/04/2026,SHOP,-1.50,ACH,10.00,'],
    'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
  )
  const { questions, mapping } = await uploaded(me, file, { accountId })
  expect([questions, mapping]).toMatchObject([[], { builtIn: 'chase', dateOrder: 'MDY' }])
})

it('an account is proposed as a credit card if the file is of one', async () => {
  const me = await newUser()
  const file = `Credit card statement\n${csv(['2026-03-01,SHOP,-1.50'])}`
  const { questions } = await uploaded(me, file)
  expect(questions).toMatchObject([{ key: 'account', choices: [{ type: 'creditCard' }] }])
})
