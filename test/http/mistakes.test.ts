import { beforeAll, expect, it } from 'vitest'
import { createTag } from '../../src/areas/money/tags/tags.routes.ts'
import { createCategory } from '../../src/areas/money/categories/categories.routes.ts'
import { fetchRaw, ok } from '../support/api.ts'
import type { ErrorBody } from '../support/api.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'
import { type Mistake, mistakes } from './mistakes.data.ts'

let me: TestUser
let known: Record<string, string>

beforeAll(async () => {
  me = await newUser()
  const key = crypto.randomUUID()
  const [account, yen, food, salary] = await Promise.all([
    newAccount(me),
    newAccount(me, { currency: 'JPY' }),
    ok(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } }),
    ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } }),
    ok(createTag, { as: me, json: { name: 'First' }, headers: { 'Idempotency-Key': key } }),
  ])
  known = { account: account.id, yen: yen.id, food: food.id, salary: salary.id, key }
})

const filled = (text: string) =>
  text.replaceAll(/\{(account|yen|food|salary|key)\}/g, (_, name: string) => known[name] ?? '')

async function make({ send, json, body, headers }: Mistake) {
  const [method = '', address = ''] = filled(send).split(' ')
  const sent = json ? filled(JSON.stringify(json)) : body
  const response = await fetchRaw(address, {
    method,
    headers: {
      Authorization: `Bearer ${me.accessToken}`,
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...JSON.parse(filled(JSON.stringify(headers ?? {}))),
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  return { status: response.status, error: (await response.json()) as ErrorBody }
}

it.each(mistakes.map((one) => [one.what, one] as const))('%s', async (_, mistake) => {
  const { status, error } = await make(mistake)
  const said = error.issues?.map(({ message }) => message) ?? [error.error]
  expect([`${status} ${error.code}`, said]).toEqual([mistake.answer, mistake.says])
  expect(said[0]).toBe(error.error)
})

it('is a long list, without repetition', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(50)
  expect(new Set(mistakes.map(({ what }) => what)).size).toBe(mistakes.length)
})
