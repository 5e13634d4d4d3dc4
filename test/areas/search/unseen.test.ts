import { expect, it } from 'vitest'
import { createAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { createSavedView } from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { parseSearch, searchAll } from '../../../src/areas/insight/search/search.routes.ts'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { deleteShare, updateShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { type Answer, call, ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newRule } from '../rules/ruling.ts'
import { share } from '../sharing/sharing.ts'
import { book } from '../transactions/booking.ts'

// Whoever sees nothing of a word gets the same answers by it as by one that nobody has ever written.

/** In texts and names of what is hidden, and a word of the same length that is nowhere. */
const [HIDDEN, NOWHERE] = ['qzvokal', 'jmbduwi']

/** An account to share, and what stands on it and elsewhere that no receiver sees. */
async function secrets(owner: TestUser) {
  const [shared, other] = [
    await newAccount(owner, { name: 'Everyday' }),
    await newAccount(owner, { name: HIDDEN }),
  ]
  const { id: payeeId } = await ok(createPayee, { as: owner, json: { name: HIDDEN } })
  const { id: tagId } = await ok(createTag, { as: owner, json: { name: HIDDEN } })
  const json = { name: HIDDEN, kind: 'expense' as const }
  const { id: categoryId } = await ok(createCategory, { as: owner, json })
  const texts = { description: HIDDEN, payeeRaw: HIDDEN, note: HIDDEN, metadata: { x: HIDDEN } }
  const all = { ...texts, payeeId, categoryId, tagIds: [tagId] }
  await book(owner, shared, { ...all, private: true, externalId: `${HIDDEN} 1` })
  await book(owner, other, { ...all, externalId: `${HIDDEN} 2` })
  const { id } = await book(owner, shared, { ...all, externalId: `${HIDDEN} 3` })
  await ok(deleteTransaction, { as: owner, id })
  const splits = [
    { amount: '10', transferAccountId: shared.id },
    { amount: '20', note: HIDDEN, payeeId, categoryId },
  ]
  await book(owner, other, { ...texts, amount: '30', externalId: `${HIDDEN} 4`, splits })
  await ok(createAttachment, {
    as: owner,
    query: { fileName: `${HIDDEN}.txt` },
    raw: { body: 'x', contentType: 'application/octet-stream' },
  })
  await newRule(owner, { name: HIDDEN, changes: { note: HIDDEN } })
  await book(owner, shared, { description: 'plain' })
  return shared
}

type Asked = Answer<unknown>

/** All answers by a word, with another word in its place. */
async function answersBy(as: Principal, word: string, account: { id: string }) {
  const part = word.slice(1, 6)
  const exchanged = `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`
  const lines = [
    ...[word, `"${word}"`, `-${word}`, part, `description:${word}`, `raw:${word}`, `note:${word}`],
    ...['account', 'payee', 'category', 'tag'].flatMap((field) =>
      [word, part, exchanged, `"${word}"`].map((name) => `${field}:${name}`),
    ),
    `meta.x:${word}`,
  ]
  const conditions = [
    ...['text', 'description', 'payeeRaw', 'note'].flatMap((field) =>
      ['contains', 'word', 'like'].map((op) => ({ field, op, value: word })),
    ),
    ...[1, 2, 3, 4].map((at) => ({ field: 'externalId', op: 'is', value: `${word} ${at}` })),
    { not: { field: 'text', op: 'contains', value: word } },
    { field: 'metadata', op: 'is', value: { key: 'x', value: word } },
  ]
  const rule = { condition: { field: 'amount', op: 'from', value: '0' }, changes: { note: 'x' } }
  const asked: (() => Promise<Asked>)[] = []
  for (const q of lines) {
    for (const list of [listTransactions, listExpenses, searchAll]) {
      asked.push(() => call(list, { as, query: { q } }))
    }
    asked.push(
      () => call(getRegister, { as, id: account.id, query: { q } }),
      () => call(parseSearch, { as, json: { q } }),
      () => call(deleteTransactions, { as, json: { filter: { q }, dryRun: true } }),
    )
    const json = { name: 'View', of: 'transactions', parameters: { q, cursor: 'refused' } } as const
    asked.push(() => call(createSavedView, { as, json }))
  }
  for (const condition of conditions) {
    const filter = { condition }
    const query = { condition: JSON.stringify(condition) }
    asked.push(
      () => call(listTransactions, { as, query: { ...query, totals: 'true', sort: '-amount' } }),
      () =>
        call(updateTransactions, { as, json: { filter, changes: { note: 'x' }, dryRun: true } }),
      () => call(runRules, { as, json: { rule, filter, dryRun: true } }),
    )
  }
  const answers: Asked[] = []
  for (const ask of asked) {
    answers.push(await ask())
  }
  return answers.map(({ status, text }) => {
    const said = text.replaceAll(/"requestId":"[^"]*"/g, '')
    return [status, [exchanged, word, part].reduce((one, by) => one.replaceAll(by, '…'), said)]
  })
}

it.each<[string, (owner: TestUser, account: { id: string }, other: TestUser) => Promise<unknown>]>([
  ['a stranger', async () => undefined],
  ['a receiver', (owner, account, other) => share(owner, account, other)],
  [
    'a former receiver',
    async (owner, account, other) => {
      const { id } = await share(owner, account, other, { permission: 'manage' })
      await call(parseSearch, { as: other, json: { q: `payee:${HIDDEN}` } })
      await ok(deleteShare, { as: owner, id })
    },
  ],
  [
    'a receiver who may only view from now on',
    async (owner, account, other) => {
      const { id } = await share(owner, account, other, { permission: 'write' })
      await ok(updateShare, { as: owner, id, json: { permission: 'view' } })
    },
  ],
])('%s finds nothing hidden by words, parts, names and similar names', async (_, become) => {
  const [owner, other] = [await newUser(), await newUser()]
  const account = await secrets(owner)
  await become(owner, account, other)
  expect(await answersBy(other, HIDDEN, account)).toEqual(await answersBy(other, NOWHERE, account))
})

it('the owner finds it by the same requests', async () => {
  const owner = await newUser()
  const account = await secrets(owner)
  const own = await answersBy(owner, HIDDEN, account)
  const nothing = await answersBy(owner, NOWHERE, account)
  const same = own.filter((answer, at) => String(answer) === String(nothing[at]))
  expect(same.length).toBeLessThan(own.length / 2)
})
