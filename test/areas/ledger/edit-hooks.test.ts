import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { annotatedOwnerIds, viewerOf } from '../../../src/areas/identity/access/access.public.ts'
import { ledgerHooks } from '../../../src/areas/index.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  deleteSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { legIdOf } from '../../../src/domain/ledger-ids.ts'
import {
  type HookAdditions,
  type Edit,
  editPreparation,
  entriesOf,
  type LedgerHook,
  type LedgerRow,
  registerHooks,
} from '../../../src/ledger/ledger.public.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { db } from '../../../src/platform/database/statements.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { archive, book, change, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import { changeAll, times, verdicts } from '../transactions/bulk.ts'
import { eventsOf } from './events.ts'
import { differencesOf } from './ledger.ts'
import { flawsOfLog } from './replay.ts'
import { LAST_YEAR, newBooks, ways } from './ways.ts'

afterEach(() => registerHooks(ledgerHooks))

let edits: Edit[] = []
let asked: (string[] | undefined)[] = []

/** Keeps the edits that it sees, and adds to each what a test says. */
const addingTo = (add: (edit: Edit) => HookAdditions = () => ({})): LedgerHook => ({
  prepareEdit: (_, transactionIds) => {
    asked.push(transactionIds)
    return editPreparation({
      decide: () => (edit) => {
        edits.push(edit)
        return add(edit)
      },
    })
  },
})

function watch(...hooks: LedgerHook[]) {
  registerHooks([...ledgerHooks, ...hooks])
  ;[edits, asked] = [[], []]
}

/** The fields that an edit changes, each before and after it. */
const changed = ({ before, after }: Edit) =>
  Object.fromEntries(
    (Object.keys(after) as (keyof LedgerRow)[])
      .filter((name) => !['others', 'version'].includes(name) && before[name] !== after[name])
      .map((name) => [name, [before[name], after[name]]]),
  )

/** A row without what only a commit knows. */
const comparable = ({ updatedAt: _time, lastLine: _line, others: _others, ...row }: LedgerRow) => ({
  ...row,
  entries: entriesOf({ ...row, updatedAt: 0, lastLine: 0, others: _others }),
})

const DAYS = [LAST_YEAR, '2026-11-20']

/** The ways of editing: what the request sends, and the fields that change with it. */
const SENT: Record<string, [sent: object, fields: object]> = {
  'another amount': [{ amount: '20' }, { amountMinor: [-1230, -2000] }],
  'another day': [{ date: DAYS[1] }, { date: DAYS }],
  'a note': [{ note: 'Lunch' }, { note: [null, 'Lunch'] }],
  'a day that is last year': [{ date: DAYS[0] }, { date: DAYS.toReversed() }],
  parts: [{ splits: [{ amount: '10' }, { amount: '2' }] }, {}],
  'the note of a part': [{ splits: [{ amount: '10.00', note: 'Cheese' }, { amount: '2.00' }] }, {}],
  'a change of many': [{ status: 'cleared' }, { status: ['uncleared', 'cleared'] }],
  'a change of a transfer': [{ amount: '90' }, { amountMinor: [-10_000, -9000] }],
  'a leg that is cleared': [{ status: 'cleared' }, { status: ['uncleared', 'cleared'] }],
}

describe('a preparation of edits sees', () => {
  it.each(ways.filter(([name]) => name in SENT))(
    '%s as it is, as it is sent and as it will be',
    async (name, movements, way) => {
      const books = await newBooks()
      const act = await way(books)
      watch(addingTo())
      expect((await act()).status).toBe(200)
      const [sent, fields] = SENT[name] ?? []
      expect(edits).toHaveLength(movements.length)
      expect(asked).toEqual([edits.map(({ before }) => before.transactionId)])
      const made = edits
      for (const edit of made) {
        expect(edit.sent).toMatchObject(sent ?? {})
        expect(changed(edit)).toEqual(fields)
        edits = []
        const { transactionId, kind, line } = edit.before
        await change(books.me, { id: legIdOf(transactionId, kind, line) }, { reviewed: true })
        expect(edits.map(({ before }) => comparable(before))).toEqual([comparable(edit.after)])
      }
    },
  )

  it('the edit of an expense, parts that go, and what a filter selects', async () => {
    const { me, one } = await newBooks()
    const { id } = await book(me, one)
    const { id: splitId } = await book(me, one, {
      splits: [{ amount: '10' }, { amount: '2.30' }],
    })
    watch(addingTo())
    await ok(updateExpense, { as: me, id, json: { amount: '5', note: null } })
    await ok(deleteSplits, { as: me, id: splitId })
    await changeAll(me, { filter: { accountId: one.id }, changes: { reviewed: true } })
    expect(asked).toEqual([[id], [splitId], undefined])
    expect(edits.map(({ before, sent }) => [before.transactionId, sent])).toEqual([
      [id, { amount: '5', note: null }],
      [splitId, { splits: [] }],
      [splitId, { reviewed: true }],
      [id, { reviewed: true }],
    ])
  })

  it('nothing where many stay as they are, and nothing that is not there or not allowed', async () => {
    const { me, one } = await newBooks()
    const [row, other] = [await book(me, one), await newUser()]
    watch(addingTo())
    expect(verdicts(await changeAll(me, { ids: [row.id], changes: { note: null } }))).toEqual([
      'unchanged',
    ])
    expect((await change(other, row, { note: 'x' })).status).toBe(404)
    expect((await change(me, row, { note: 'x' }, { 'If-Match': '"7"' })).status).toBe(412)
    expect(refusal(await change(me, row, { amount: '0' }))).toEqual([400, 'money.zero', 'amount'])
    expect(edits).toEqual([])
  })

  it('both sides of a transfer in one request, the second one with what was added to the first', async () => {
    const { me, one, two } = await newBooks()
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { from, to } = await ok(createTransfer, { as: me, json })
    watch(addingTo(({ after }) => (after.description === '' ? { description: 'Savings' } : {})))
    await changeAll(me, { ids: [from.id, to.id], changes: { status: 'cleared' } })
    expect(edits.map(({ before, after }) => [before.line, after.description])).toEqual([
      [1, ''],
      [2, 'Savings'],
    ])
    const { description, status } = await ok(getTransaction, { as: me, id: from.id })
    expect([description, status]).toEqual(['Savings', 'cleared'])
    expect(await differencesOf(me)).toEqual([])
  })
})

const sound = async (me: { id: string; accessToken: string }) => {
  expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
}

const newTag = async (as: Principal, name: string) =>
  (await ok(createTag, { as, json: { name } })).id

/** Says this of one side of a transfer, and that of the other. */
const ofSides = (first: HookAdditions, second: HookAdditions) =>
  addingTo(({ before }) => (before.line === 1 ? first : second))

describe('of both sides of a transfer in one request', () => {
  it('what is added to the first stays, whatever the request or the second say of other fields', async () => {
    const { me, one, two } = await newBooks()
    const [trip, work] = [await newTag(me, 'Trip'), await newTag(me, 'Work')]
    const { id: payeeId } = await ok(createPayee, { as: me, json: { name: 'Mill' } })
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { id, from, to } = await ok(createTransfer, { as: me, json })
    const ids = [from.id, to.id]
    const words = async () => {
      const { description, note, tagIds } = await ok(getTransfer, { as: me, id })
      return [
        description,
        note,
        tagIds,
        (await ok(getTransaction, { as: me, id: from.id })).payeeId,
      ]
    }
    watch(ofSides({ description: 'By a rule', tagIds: [trip] }, { note: 'Seen', payeeId }))
    await changeAll(me, { ids, changes: { description: 'Savings' } })
    expect(await words()).toEqual(['By a rule', 'Seen', [trip], payeeId])
    watch(ofSides({ description: 'First', tagIds: [] }, { description: 'Second', tagIds: [work] }))
    await changeAll(me, { ids, changes: { description: 'Savings', note: null } })
    expect(await words()).toEqual(['Second', null, [work], payeeId])
    watch(ofSides({}, { description: 'Second', tagIds: [work] }))
    const changes = { description: 'Savings', removeTagIds: [work] }
    expect(verdicts(await changeAll(me, { ids, changes }))).toEqual(['changed', 'changed'])
    expect(await words()).toEqual(['Second', null, [work], payeeId])
    await sound(me)
  })
})

/** A note on coffee means the category with that name, of whoever owns the transaction; it counts how often. */
const coffeeRule: LedgerHook = {
  prepareEdit: (ctx) =>
    editPreparation({
      needs: () =>
        db.all<{ id: string; ownerId: string }>(
          sql`SELECT id, owner_id AS ownerId FROM categories
          WHERE name = 'Coffee' AND owner_id IN (${annotatedOwnerIds(viewerOf(ctx))})`,
        ),
      decide:
        (found) =>
        ({ before, sent, after }) => {
          const coffee = found.find(({ ownerId }) => ownerId === before.ownerId)
          if (!coffee || sent.note === undefined || !after.note?.includes('coffee')) {
            return {}
          }
          const counted = sql`UPDATE categories SET version = version + 1 WHERE id = ${coffee.id}`
          return {
            categoryId: coffee.id,
            expenseCategoryIds: [coffee.id],
            changes: [withoutEvents([db.run(counted)])],
          }
        },
    }),
}

async function newDrinker() {
  const books = await newBooks()
  const coffee = await newCategory(books.me)
  await rows("UPDATE categories SET name = 'Coffee' WHERE id = ?", coffee.id)
  const uses = async () => {
    const [row] = await rows<{ version: number }>(
      'SELECT version FROM categories WHERE id = ?',
      coffee.id,
    )
    return (row?.version ?? 0) - coffee.version
  }
  return { ...books, coffee, uses }
}

describe('a preparation of edits adds', () => {
  it('to a transaction and a transfer, in the same commit, with one version and one event', async () => {
    const { me, one, two, coffee, uses } = await newDrinker()
    const row = await book(me, one)
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { id } = await ok(createTransfer, { as: me, json })
    watch(coffeeRule)
    const { body } = await change(me, row, { note: 'coffee' })
    expect(body).toMatchObject({ categoryId: coffee.id, version: row.version + 1 })
    const events = await eventsOf(row.id)
    expect(events.map(({ type }) => type.split('.')[1]).toSorted()).toEqual(['created', 'updated'])
    const transfer = await ok(updateTransfer, { as: me, id, json: { note: 'coffee money' } })
    expect(transfer.categoryId).toBe(coffee.id)
    expect(await uses()).toBe(2)
    await sound(me)
  })

  it('facts for the log, in whichever way the edit came', async () => {
    const { me, one, two } = await newBooks()
    const row = await book(me, one)
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { id, from, to } = await ok(createTransfer, { as: me, json })
    watch(addingTo(() => ({ facts: { rules: ['rul_1'] } })))
    await change(me, row, { amount: '20' })
    await change(me, row, { accountId: two.id })
    await changeAll(me, { ids: [row.id], changes: { note: 'Tea' } })
    await ok(updateTransfer, { as: me, id, json: { amount: '90' } })
    const events = (await Promise.all([row.id, from.id, to.id].map((one) => eventsOf(one)))).flat()
    const told = events.flatMap(({ type, content }) =>
      type.endsWith('.updated') ? [content ?? {}] : [],
    )
    expect(told).toHaveLength(6)
    expect(told.filter((content) => !('rules' in content))).toEqual([])
    await sound(me)
  })

  it('in two trips, and without a statement more where it has nothing to ask or to add', async () => {
    const { me, one, two } = await newDrinker()
    const splits = [{ amount: '10' }, { amount: '2.30' }]
    const row = await book(me, one, { splits })
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { id } = await ok(createTransfer, { as: me, json })
    let serial = 0
    const edit = async () => {
      const statements: number[] = []
      const { call: callWatched } = serviceWith({
        aroundTrips: async (_, run) => {
          const results = await run()
          statements.push(results.length)
          return results
        },
      })
      const note = `coffee ${++serial}`
      const path = { id: row.id, lineId: row.splits[0]?.id ?? '' }
      const answers = [
        await callWatched(updateTransaction, { as: me, id: row.id, json: { note } }),
        await callWatched(updateSplit, { as: me, path, json: { note } }),
        await callWatched(updateTransfer, { as: me, id, json: { note } }),
        await callWatched(updateTransactions, {
          as: me,
          json: { ids: [row.id], changes: { note: `${note} again` } },
        }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(answers.map(tripsOf)).toEqual([2, 2, 2, 2])
      return statements
    }
    await edit()
    const plain = await edit()
    watch(addingTo())
    expect(await edit()).toEqual(plain)
    watch(addingTo(({ sent }) => (sent.note ? { description: `For ${sent.note}` } : {})))
    expect(await edit()).toEqual(plain)
    await sound(me)
  })

  it('a category of expenses to an income, which is a refund then, also of many', async () => {
    const { me, one, coffee } = await newDrinker()
    const incomes = await Promise.all(times(2, () => book(me, one, { kind: 'income' })))
    watch(coffeeRule)
    await change(me, incomes[0] ?? { id: '' }, { note: 'coffee back' })
    const ids = incomes.map(({ id }) => id)
    await changeAll(me, { ids, changes: { note: 'coffee back again' } })
    const sides = await rows<{ side: string }>(
      'SELECT side FROM entries WHERE category_id = ?',
      coffee.id,
    )
    expect(sides).toEqual([{ side: 'expense' }, { side: 'expense' }])
    await sound(me)
  })

  it('after what an earlier hook adds, and overrides what is sent if it wants to', async () => {
    const { me, one } = await newBooks()
    const row = await book(me, one)
    watch(
      addingTo(({ after }) => ({ description: `${after.description}!` })),
      addingTo(({ after }) => ({ description: `${after.description}?`, status: 'pending' })),
    )
    const { body } = await change(me, row, { description: 'Tea', status: 'cleared' })
    expect([body.description, body.status]).toEqual(['Tea!?', 'pending'])
    expect(edits.map(({ sent }) => sent)).toEqual(times(2, () => edits[0]?.sent))
  })

  it('nothing by what it leaves undefined, and no less than the hooks before it', async () => {
    const { me, one, coffee } = await newDrinker()
    const row = await book(me, one, { kind: 'income', payeeRaw: 'CAFE' })
    watch(
      coffeeRule,
      addingTo(() => ({ description: undefined, categoryId: undefined, expenseCategoryIds: [] })),
    )
    const { body } = await change(me, row, { description: 'Beans', note: 'coffee back' })
    expect(body).toMatchObject({ description: 'Beans', categoryId: coffee.id })
    await sound(me)
  })

  it('words of its own to each of many, and foresees them in a dry run', async () => {
    const { me, one, uses } = await newDrinker()
    const split = await book(me, one, { splits: [{ amount: '10' }, { amount: '2.30' }] })
    const all = await Promise.all(
      times(40, (at) => book(me, one, { description: `Row ${at}`, note: 'as it was' })),
    )
    const ids = [...all, split].map(({ id }) => id)
    watch(
      coffeeRule,
      addingTo(({ before }) =>
        /[05]$/.test(before.description) ? { description: `${before.description}, seen` } : {},
      ),
    )
    const json = { ids, changes: { note: 'coffee' } }
    // A category is for the parts of what is split.
    const refused = ['invalid transactions.categoryAndSplits categoryId']
    const whole = ids.slice(0, 40)
    expect(verdicts(await changeAll(me, { ...json, dryRun: true })).slice(40)).toEqual(refused)
    expect(refusal(await changeAll(me, json)).slice(0, 2)).toEqual([
      ...[400, 'transactions.categoryAndSplits'],
    ])
    expect(await uses()).toBe(0)
    const { body } = await changeAll(me, { ...json, ids: whole })
    expect([body.changed, await uses()]).toEqual([40, 40])
    const stored = await rows<{ description: string; note: string }>(
      'SELECT description, note FROM transactions WHERE owner_id = ? AND id <> ? ORDER BY id',
      me.id,
      split.id,
    )
    expect(new Set(stored.map(({ description, note }) => `${description}: ${note}`))).toEqual(
      new Set(times(40, (at) => `Row ${at}${at % 5 === 0 ? ', seen' : ''}: coffee`)),
    )
    await sound(me)
  })
})

describe('what a preparation of edits adds', () => {
  it('is undone with an edit that is refused for a race, a stale version or the label itself', async () => {
    const { me, one, coffee, uses } = await newDrinker()
    const row = await book(me, one)
    watch(coffeeRule)
    const raced = serviceWith({ meanwhile: () => change(me, row, { reviewed: true }) })
    const answer = await raced.call(updateTransaction, {
      as: me,
      id: row.id,
      json: { note: 'coffee' },
    })
    expect(answer.status).toBe(409)
    const stale = await change(me, row, { note: 'coffee' }, { 'If-Match': `"${row.version}"` })
    expect(stale.status).toBe(412)
    await archive(coffee)
    expect(refusal(await change(me, row, { note: 'coffee' }))).toEqual([
      ...[400, 'transactions.archivedCategory'],
    ])
    expect(await uses()).toBe(0)
    expect((await ok(getTransaction, { as: me, id: row.id })).note).toBeNull()
  })

  it('needs force where the row is reconciled, as what is sent does', async () => {
    const { me, one, two, uses } = await newDrinker()
    const json = { fromAccountId: one.id, toAccountId: two.id, date: LAST_YEAR, amount: '100' }
    const { id, from, to } = await ok(createTransfer, { as: me, json })
    await change(me, from, { status: 'reconciled' })
    watch(addingTo(() => ({ description: 'By a rule' })))
    // The second side may be reconciled without force, and words are free.
    expect((await change(me, to, { status: 'reconciled' })).status).toBe(200)
    expect((await ok(getTransfer, { as: me, id })).description).toBe('By a rule')
    const row = await book(me, one, { status: 'reconciled' })
    watch(coffeeRule)
    expect((await change(me, row, { note: 'coffee' })).status).toBe(200)
    expect(await uses()).toBe(1)
    watch(addingTo(() => ({ status: 'cleared' })))
    expect(refusal(await change(me, row, { note: 'tea' }))).toEqual([
      ...[409, 'transactions.reconciled'],
    ])
    expect((await change(me, row, { note: 'tea', force: true })).body.status).toBe('cleared')
  })

  it("is the owner's, whoever edits, and asks for the editor's right", async () => {
    const { me, one, coffee, uses } = await newDrinker()
    const friend = await newUser()
    await share(me, one, friend, { permission: 'annotate' })
    const theirs = await newCategory(friend)
    await rows("UPDATE categories SET name = 'Coffee' WHERE id = ?", theirs.id)
    const [row, hidden] = [await book(me, one), await book(me, one, { private: true })]
    watch(coffeeRule, addingTo())
    const edit = (as: Principal, id: string, note: string) =>
      call(updateTransaction, { as, id, json: { note } })
    expect((await edit(friend, row.id, 'coffee')).body.categoryId).toBe(coffee.id)
    expect((await edit(friend, hidden.id, 'coffee')).status).toBe(404)
    expect([edits.map(({ before }) => before.transactionId), await uses()]).toEqual([[row.id], 1])
    expect((await edit(me, hidden.id, 'coffee')).body.categoryId).toBe(coffee.id)
    // Words and categories are for whoever may annotate; what moves money is not.
    watch(
      coffeeRule,
      addingTo(() => ({ status: 'pending' })),
    )
    expect(refusal(await edit(friend, row.id, 'more coffee'))).toEqual([403, 'auth.rightNeeded'])
    expect(await uses()).toBe(2)
    await sound(me)
  })
})
