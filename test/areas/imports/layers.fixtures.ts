import { expect } from 'vitest'
import {
  revertImport,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { randomFrom } from '../../support/random.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

type Field = 'amount' | 'date' | 'status' | 'payeeRaw' | 'time' | 'note' | 'externalId'
type Values = Partial<Record<Field | 'description' | 'categoryId', string | null>>

/** What changes of a transaction: by its user, or by an import, which may be taken back. */
interface Step {
  by: string | null
  values: Values
}

/** The values that are left if the imports that were reverted had never been: the last word on each field counts. */
const replayed = (steps: Step[], reverted: ReadonlySet<string>): Values =>
  Object.assign(
    {},
    ...steps.filter(({ by }) => by === null || !reverted.has(by)).map(({ values }) => values),
  ) as Values

/** A transaction with a model of what each of its fields should be. */
async function modelled() {
  const me = await newUser()
  const account = await newAccount(me)
  const food = await ok(createCategory, { as: me, json: { name: 'Food', kind: 'expense' } })
  const typed = { amount: '10.00', date: '2026-03-10', description: 'Typed', status: 'uncleared' }
  const { id } = await ok(createTransaction, {
    as: me,
    json: { kind: 'expense', accountId: account.id, ...typed } as never,
  })
  const none = { payeeRaw: null, time: null, note: null, externalId: null, categoryId: null }
  const steps: Step[] = [{ by: null, values: { ...typed, ...none } }]
  const reverted = new Set<string>()
  const imports: string[] = []
  const expected = () => replayed(steps, reverted)
  let count = 0
  /** A value that nothing else has. */
  const fresh = {
    amount: () => `${20 + ++count}.00`,
    date: () => new Date(Date.UTC(2026, 3, 1) + ++count * 86_400_000).toISOString().slice(0, 10),
    time: () => `10:${String(++count).padStart(2, '0')}`,
    text: () => `Text ${++count}`,
  }

  async function edit(values: Values) {
    await ok(updateTransaction, { as: me, id, json: values as never })
    steps.push({ by: null, values })
  }

  /** An import with a row that is the transaction. A pending one gets the amount and day of the row. */
  async function match(wanted: { takesDate: boolean }) {
    const now = expected()
    const isPosting = now.status === 'pending'
    const row = {
      ...{ externalId: `bank-${++count}`, payeeRaw: fresh.text(), note: fresh.text() },
      ...{
        time: fresh.time(),
        date: fresh.date(),
        amount: isPosting ? fresh.amount() : now.amount,
      },
    }
    const cells = [row.date, row.time, row.payeeRaw, row.note, `-${row.amount}`, row.externalId]
    const file = csv([cells.join(',')], 'Date,Time,Payee,Note,Amount,Transaction ID')
    const sent = await uploaded(me, file, { accountId: account.id })
    const [shown] = (await ok(listImportRows, { as: me, id: sent.id })).rows
    await ok(updateImportRow, {
      ...{ as: me, path: { id: sent.id, rowId: shown?.id ?? '' } },
      json: { decision: 'match', transactionId: id, takeDate: wanted.takesDate },
    })
    const { counts } = await committed(me, sent.id)
    expect(counts).toMatchObject(isPosting ? { updated: 1 } : { matched: 1 })
    const lacking = (['payeeRaw', 'time', 'note', 'externalId'] as const).filter(
      (field) => now[field] === null,
    )
    const values: Values = {
      status: 'cleared',
      ...Object.fromEntries(lacking.map((field) => [field, row[field]])),
      ...(isPosting ? { amount: row.amount } : {}),
      ...(isPosting || wanted.takesDate ? { date: row.date } : {}),
    }
    steps.push({ by: sent.id, values })
    imports.push(sent.id)
  }

  async function revert(importId: string) {
    const { report } = await ok(revertImport, { as: me, id: importId, json: { dryRun: true } })
    await ok(revertImport, { as: me, id: importId, json: {} })
    const { state, reverted: told } = await settled(me, importId)
    expect([state, told]).toEqual(['reverted', report])
    reverted.add(importId)
    return report
  }

  async function check() {
    const { signedAmount, ...found } = await ok(getTransaction, { as: me, id })
    const wanted = expected()
    expect(found).toMatchObject(wanted)
    expect(signedAmount).toBe(`-${wanted.amount}`)
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(signedAmount)
  }

  return { food, fresh, imports, reverted, edit, match, revert, check }
}

/** Imports that match one transaction are reverted in any order, around its edits. */
export async function matchAndRevert(seed: number): Promise<void> {
  const { food, fresh, imports, reverted, edit, match, revert, check } = await modelled()
  const { pick, chance, whole } = randomFrom(seed)
  const edits: (() => Values)[] = [
    () => ({ amount: fresh.amount() }),
    () => ({ date: fresh.date() }),
    () => ({ status: 'pending' }),
    () => ({ status: 'uncleared' }),
    () => ({ payeeRaw: fresh.text() }),
    () => ({ note: fresh.text(), time: fresh.time() }),
    () => ({ note: null }),
    () => ({ description: fresh.text(), categoryId: chance(0.5) ? food.id : null }),
  ]
  for (let step = 0; step < 14; step += 1) {
    const open = imports.filter((id) => !reverted.has(id))
    const what = whole(0, 3)
    if (what === 0 && open.length < 3) {
      await match({ takesDate: chance(0.5) })
    } else if (what === 1 && open.length > 0) {
      await revert(pick(open))
    } else {
      await edit(pick(edits)())
    }
    await check()
  }
  for (const id of imports.toReversed().filter((one) => !reverted.has(one))) {
    await revert(id)
    await check()
  }
  expect(reverted.size).toBe(imports.length)
}
