import { expect, it } from 'vitest'
import {
  getAuditLog,
  listAuditLogs,
  listOwnAuditLog,
  downloadAuditLogExport,
  exportAuditLog,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { createAccount, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { giveRole, newHolder, newRole } from '../roles/holders.ts'

const IBAN = 'DE02120300000000202051'

/** Somebody with a word of its own in every free text. */
async function talker() {
  const user = await newUser()
  const word = `word${crypto.randomUUID().slice(0, 8)}`
  const account = await ok(createAccount, {
    as: user,
    json: {
      ...{ name: `${word} account`, type: 'checking', currency: 'EUR', note: `${word} n` },
      ...{ iban: IBAN, institution: `${word} bank` },
    },
  })
  await ok(updateAccount, {
    as: user,
    id: account.id,
    json: { note: `${word} other`, onBudget: false },
  })
  await ok(createCategory, { as: user, json: { name: `${word} cat`, kind: 'expense' } })
  await ok(createPayee, {
    as: user,
    json: { name: `${word} payee`, aliases: [`${word} alias`], note: `${word} n` },
  })
  const booking = {
    kind: 'expense',
    accountId: account.id,
    date: '2026-01-05',
    amount: '12.50',
    description: `${word} d`,
    note: `${word} n`,
    payeeRaw: `${word} raw`,
    metadata: { [`${word}Key`]: `${word} v` },
    location: { lat: 1, lon: 2, name: word },
    externalId: `${word}-1`,
  } as const
  const { id } = await ok(createTransaction, { as: user, json: booking })
  await ok(updateTransaction, { as: user, id, json: { description: `${word} d2` } })
  const bulk = { ...booking, externalId: `${word}-2` }
  await ok(createTransactions, { as: user, json: { transactions: [bulk] } })
  const changes = { note: `${word} many` }
  await ok(updateTransactions, { as: user, json: { ids: [id], changes } })
  const filter = { text: word, metadataKey: `${word}Key`, metadataValue: `${word} v` }
  await ok(updateTransactions, { as: user, json: { filter, changes: { note: `${word} all` } } })
  return { user, word, account }
}

/** All that the administrators' log tells somebody of a user: lists and single entries. */
async function toldTo(as: Principal, ownerId: string) {
  const { entries } = await ok(listAuditLogs, { as, query: { ownerId, limit: 200 } })
  const whole = await Promise.all(entries.map(({ id }) => ok(getAuditLog, { as, id })))
  return { whole, text: JSON.stringify([entries, whole]) }
}

async function exported(as: Principal, ownerId: string, format: 'ndjson' | 'csv') {
  const { id, job } = await ok(exportAuditLog, { as, json: { ownerId, format } })
  await rows('UPDATE tasks SET next_attempt_at = ? WHERE id = ?', Date.now() + 3_600_000, job.id)
  await deliver(work, job.id, 2 * 3_600_000)
  return id
}

const fetchExport = (as: Principal, id: string) =>
  fetchRaw(downloadAuditLogExport.path.replace('{id}', id), {
    headers: { Authorization: `Bearer ${as.accessToken}` },
  })

it('the log of administrators masks account numbers and free text', async () => {
  const { user, word, account } = await talker()
  const reader = await newHolder(['allAuditLogs.read'])
  const { whole, text } = await toldTo(reader, user.id)
  expect(text).not.toContain(word)
  expect(text).not.toContain(IBAN)
  expect(text).not.toContain(IBAN.slice(-4))
  const updated = whole.find(({ action }) => action === 'account.updated')
  expect(updated?.resourceId).toBe(account.id)
  expect(updated?.changes).toContainEqual({
    field: 'note',
    before: '********',
    after: '********',
  })
  expect(updated?.changes).toContainEqual({ field: 'onBudget', before: true, after: false })
  for (const format of ['ndjson', 'csv'] as const) {
    const file = await (await fetchExport(reader, await exported(reader, user.id, format))).text()
    expect(file).toContain('account.updated')
    expect(file).not.toContain(word)
    expect(file).not.toContain(IBAN)
  }
})

it('whoever may see texts in it, and the user, see them', async () => {
  const { user, word } = await talker()
  const reader = await newHolder(['allAuditLogs.read', 'auditLogTexts.read'])
  const { text } = await toldTo(reader, user.id)
  expect([text.includes(word), text.includes(IBAN)]).toEqual([true, true])
  const file = await (await fetchExport(reader, await exported(reader, user.id, 'csv'))).text()
  expect([file.includes(word), file.includes(IBAN)]).toEqual([true, true])
  const own = JSON.stringify(await ok(listOwnAuditLog, { as: user, query: { limit: 200 } }))
  expect([own.includes(word), own.includes(IBAN)]).toEqual([true, true])
})

it('an access token sees texts by a scope of its own', async () => {
  const { user, word } = await talker()
  const reader = await newHolder(['allAuditLogs.read', 'auditLogTexts.read'])
  const bare = await giveToken(reader, ['allAuditLogs.read'])
  expect((await toldTo(bare, user.id)).text).not.toContain(word)
  const wide = await giveToken(reader, ['allAuditLogs.read', 'auditLogTexts.read'])
  expect((await toldTo(wide, user.id)).text).toContain(word)
})

it('words of the service itself are not masked', async () => {
  const role = await newRole([])
  const reader = await newHolder(['allAuditLogs.read'])
  const { entries } = await ok(listAuditLogs, { as: reader, query: { resourceId: role.id } })
  expect(entries[0]?.changes).toContainEqual({ field: 'name', before: null, after: role.name })
})

it('an export with texts is downloaded only by whoever may still see them', async () => {
  const { user } = await talker()
  const reader = await newHolder(['allAuditLogs.read'])
  const spare = await newRole(['auditLogTexts.read'])
  await giveRole(reader.id, spare.id)
  const id = await exported(reader, user.id, 'csv')
  expect((await fetchExport(reader, id)).status).toBe(200)
  await rows('DELETE FROM user_roles WHERE role_id = ?', spare.id)
  const refused = await fetchExport(reader, id)
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { code: 'auditLog.exportNotMasked' },
  ])
})
