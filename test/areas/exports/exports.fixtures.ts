import type { z } from '@hono/zod-openapi'
import { expect } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import type { CreateExportRequest } from '../../../src/areas/data-rights/exports/exports.contract.ts'
import {
  createExport,
  deleteExport,
  downloadExport,
  getExport,
} from '../../../src/areas/data-rights/exports/exports.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { deliver } from '../queue-tasks/tasks.ts'

const HOUR = 60 * 60 * 1000

type Wanted = z.input<typeof CreateExportRequest>

/** Asks for an export that nobody but the test makes; gives its id and that of its task. */
export async function askExport(
  as: Principal,
  json: Wanted,
): Promise<{ id: string; taskId: string }> {
  const { id, job } = await ok(createExport, { as, json })
  await rows('UPDATE tasks SET next_attempt_at = ? WHERE id = ?', Date.now() + HOUR, job.id)
  return { id, taskId: job.id }
}

export async function makeExport(as: Principal, json: Wanted) {
  const { id, taskId } = await askExport(as, json)
  await deliver(work, taskId, 2 * HOUR)
  return ok(getExport, { as, id })
}

export const fetchExport = (as: Principal, id: string, headers = {}): Promise<Response> =>
  fetchRaw(downloadExport.path.replace('{id}', id), {
    headers: { Authorization: `Bearer ${as.accessToken}`, ...headers },
  })

/** The text of an export of these. */
export async function exported(as: Principal, json: Wanted): Promise<string> {
  const { id, state } = await makeExport(as, json)
  expect(state).toBe('ready')
  const response = await fetchExport(as, id)
  expect(response.status).toBe(200)
  const bytes = await response.arrayBuffer()
  await ok(deleteExport, { as, id })
  // As it is: `text()` would take a byte order mark off.
  return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)
}

/** The cells of a table, in an object for each line. */
export function tableOf(text: string, separator = ','): Record<string, string>[] {
  const lines: string[][] = [[]]
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r\\n)`,
    'y',
  )
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (!found) {
      throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`)
    }
    const [, quoted, plain = '', end] = found
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== separator && cell.lastIndex < text.length) {
      lines.push([])
    }
  }
  const [head = [], ...body] = lines
  return body.map((cells) => {
    expect(cells).toHaveLength(head.length)
    return Object.fromEntries(head.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** Somebody with a split and a transfer, as the page of formats tells them. */
export async function newTraveller() {
  const me = await newUser()
  const everyday = await newAccount(me, { name: 'Everyday' })
  const tokyo = await newAccount(me, { name: 'Tokyo', currency: 'JPY' })
  const category = (name: string, more = {}) =>
    ok(createCategory, { as: me, json: { name, kind: 'expense', ...more } })
  const groceries = await category('Groceries')
  const household = await category('Household')
  const fees = await category('Fees')
  const split = await ok(createTransaction, {
    as: me,
    json: {
      ...{ kind: 'expense', accountId: everyday.id, date: '2026-03-19', amount: '12.30' },
      splits: [
        { amount: '10.00', categoryId: groceries.id },
        { amount: '2.30', categoryId: household.id },
      ],
    },
  })
  const transfer = await ok(createTransfer, {
    as: me,
    json: {
      ...{ fromAccountId: everyday.id, toAccountId: tokyo.id, date: '2026-03-20' },
      ...{ amount: '100.00', toAmount: '15840' },
      fees: [{ amount: '1.00', categoryId: fees.id }],
    },
  })
  return { me, everyday, tokyo, groceries, household, fees, split, transfer, category }
}

/** The same with whatever else formats have to cope with. */
export async function newHousehold() {
  const traveller = await newTraveller()
  const { me, everyday, tokyo, groceries, category } = traveller
  const odd = await newAccount(me, {
    name: '(Odd: [one]; |  two "quoted"',
    openingBalance: '250.00',
  })
  const card = await newAccount(me, { name: 'Card', type: 'creditCard', openingBalance: '-45.10' })
  const dinar = await newAccount(me, { name: 'Dinar', currency: 'BHD', openingBalance: '1.125' })
  const below = await category('Fish / meat: fresh', { parentId: groceries.id })
  const twin = await category('fish-meat', { parentId: groceries.id })
  const salary = await ok(createCategory, { as: me, json: { name: 'Salary', kind: 'income' } })
  const payee = await ok(createPayee, { as: me, json: { name: '=Tesco | "Dublin"' } })
  const tag = await ok(createTag, { as: me, json: { name: 'holiday|2026, \\ June' } })
  const plain = await ok(createTag, { as: me, json: { name: 'trip' } })
  const book = (json: object) =>
    ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: everyday.id, date: '2026-03-21', amount: '5.00' },
        ...json,
      },
    })
  const move = (json: object) =>
    ok(createTransfer, {
      as: me,
      json: {
        ...{ fromAccountId: everyday.id, toAccountId: odd.id, date: '2026-03-22', amount: '20.00' },
        ...json,
      },
    })
  const texts = { payeeId: payee.id, tagIds: [tag.id, plain.id] }
  const labelled = await book({
    ...texts,
    ...{ categoryId: below.id, status: 'cleared', externalId: '(0012)', time: '18:45' },
    ...{ description: '-2+3; (not) a\nformula', note: '@home', reviewed: true },
    ...{ originalAmount: '6.00', originalCurrency: 'USD', rate: '0.8333' },
  })
  await book({ categoryId: twin.id, status: 'reconciled', description: '* starred' })
  const voided = await book({ status: 'void', amount: '77.00', description: 'Never was' })
  await book({ status: 'pending', payeeRaw: "'TESCO STORES 3021" })
  await book({ kind: 'income', amount: '1500.00', categoryId: salary.id })
  await book({ kind: 'income', amount: '2.00', categoryId: groceries.id, description: 'Refund' })
  await book({ kind: 'income', amount: '3.00' })
  await book({ kind: 'adjustment', amount: '-0.40' })
  await book({ accountId: dinar.id, amount: '0.125', categoryId: groceries.id })
  const paid = await book({
    accountId: card.id,
    amount: '30.00',
    splits: [
      { amount: '18.00', categoryId: groceries.id, tagIds: [plain.id], note: 'Food' },
      { amount: '10.00', transferAccountId: odd.id },
      { amount: '2.00', transferAccountId: tokyo.id, transferAmount: '324' },
    ],
  })
  await move({ status: 'cleared', description: 'Savings' })
  await move({ fromAccountId: odd.id, toAccountId: everyday.id, amount: '7.00' })
  await move({ fromAccountId: tokyo.id, toAccountId: dinar.id, amount: '500', toAmount: '1.200' })
  return { ...traveller, odd, card, dinar, below, labelled, voided, paid, tag }
}
