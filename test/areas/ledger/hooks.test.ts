import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ledgerHooks } from '../../../src/areas/index.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { addressOf } from '../../../src/domain/ledger-ids.ts'
import {
  editPreparation,
  type LedgerHook,
  ofLabels,
  ofTransactions,
  post,
  preparation,
  registerHooks,
} from '../../../src/ledger/ledger.public.ts'
import type { TransactionMovement } from '../../../src/ledger/hooks/hooks.usecases.ts'
import { eventTypes, withoutEvents } from '../../../src/platform/log/events.ts'
import { refuseIf } from '../../../src/platform/database/premises.ts'
import type { LoggedEvent } from '../../../src/platform/work/reader-rows.ts'
import { type Reader, runReaders } from '../../../src/platform/work/readers.ts'
import { conflicting, nothingHere } from '../../../src/platform/database/refusals.ts'
import { db } from '../../../src/platform/database/statements.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { book, expenseOn, newCategory, refusal } from '../transactions/booking.ts'
import { eventsOfAll } from './events.ts'
import { jobWays } from './job-ways.ts'
import { differencesOf } from './ledger.ts'
import { flawsOfLog } from './replay.ts'
import { dropAccount, erase, work } from '../trash/trashing.ts'
import { newBooks, ways } from './ways.ts'

// What an area adds to transactions, each written here in a few lines, as one that is yet to come would.

/** Nothing of last year is booked, changed or taken back any more. */
const periodLock: LedgerHook = {
  guard: (_, movements) => {
    const days = ofTransactions(movements).flatMap(({ before, after }) =>
      [before, after].map((one) => one?.header.date),
    )
    return [
      ...days.map((day) => sql`${day ?? null} < '2026-01-01'`),
      ...ofLabels(movements).map(
        ({ lines }) => sql`EXISTS (SELECT 1 FROM (${lines}) WHERE date < '2026-01-01')`,
      ),
    ].map((isLocked) =>
      refuseIf(isLocked, () => new AppError('conflict', 'test.locked', 'That year is over.')),
    )
  },
}

/** Keeps of each transaction what happened to it, in the commit in which it does. */
const diary: LedgerHook = {
  follow: (_, movements) => [
    db.run(sql`INSERT INTO diary SELECT value->>'id', value->>'what', value->>'into'
      FROM json_each(${JSON.stringify(ofTransactions(movements).map(({ id, what, into }) => ({ id, what, into })))})`),
    ...ofLabels(movements).map(({ what, lines }) =>
      db.run(sql`INSERT INTO diary SELECT DISTINCT transaction_id, ${what}, NULL FROM (${lines})`),
    ),
  ],
}

let asked: number[] = []

/** What a bank calls coffee is of the category with that name, which notes when it was used. */
const coffeeRule: LedgerHook = {
  prepare: ({ caller }, drafts) => {
    asked.push(drafts.length)
    const isCoffee = (words: {
      payeeRaw?: string | null | undefined
      note?: string | null | undefined
    }) => /coffee/i.test(`${words.payeeRaw} ${words.note}`)
    return preparation({
      needs: drafts.some(isCoffee)
        ? () =>
            db.all<{ id: string }>(
              sql`SELECT id FROM categories WHERE owner_id = ${caller.userId} AND name = 'Coffee'`,
            )
        : undefined,
      decide:
        ([coffee]) =>
        (draft) =>
          coffee && isCoffee(draft)
            ? {
                categoryId: draft.categoryId ?? coffee.id,
                note: 'By a rule',
                changes: [
                  withoutEvents([
                    db.run(
                      sql`UPDATE categories SET version = version + 1 WHERE id = ${coffee.id}`,
                    ),
                  ]),
                ],
              }
            : {},
    })
  },
}

beforeAll(() => rows('CREATE TABLE diary (id TEXT, what TEXT, "into" TEXT)'))
afterEach(() => registerHooks(ledgerHooks))

const diaryOf = () => rows<{ id: string; what: string; into: string | null }>('SELECT * FROM diary')

describe('a guard', () => {
  it.each(ways)('refuses %s', async (_, __, way) => {
    const books = await newBooks()
    const act = await way(books)
    const told = (await eventsOfAll(books.me)).length
    registerHooks([...ledgerHooks, diary, periodLock])
    await rows('DELETE FROM diary')
    expect(refusal(await act())).toEqual([409, 'test.locked'])
    expect(await diaryOf()).toEqual([])
    expect((await eventsOfAll(books.me)).length).toBe(told)
    expect(await differencesOf(books.me)).toEqual([])
  })

  it.each(jobWays)('stops the task of %s', async (_, __, way) => {
    const books = await newBooks()
    const act = await way(books)
    const told = (await eventsOfAll(books.me)).length
    registerHooks([...ledgerHooks, diary, periodLock])
    await rows('DELETE FROM diary')
    await act()
    expect(await diaryOf()).toEqual([])
    expect((await eventsOfAll(books.me)).length).toBe(told)
    expect(await differencesOf(books.me)).toEqual([])
  })
})

/** What people, programs and files record goes through preparations, by how many drafts it is; no other way does. */
const DRAFTS: Record<string, number> = {
  'a transaction': 1,
  'an expense': 1,
  'a balance that is adjusted': 1,
  many: 2,
  'a file of a bank, part of which is there already': 2,
  'a transfer': 1,
  'the file of a bank': 2,
  'a file with a row that was typed before': 2,
  'a file that withdraws a row': 1,
  'a file that does not tell of a pending row any more': 1,
  'a file with half of a transfer': 1,
}

/** What people edit goes through preparations of edits; no other way does. */
const EDITS: Record<string, number> = {
  'another amount': 1,
  'another day': 1,
  'a note': 1,
  'a day that is last year': 1,
  parts: 1,
  'the note of a part': 1,
  'a change of many': 2,
  'a change of a transfer': 1,
  'a leg that is cleared': 1,
}

let edited: string[] = []

/** Prepares nothing, and counts what it is asked about. */
const counting: LedgerHook = {
  prepare: (_, drafts) => {
    asked.push(drafts.length)
    return preparation({ decide: () => () => ({}) })
  },
  prepareEdit: () =>
    editPreparation({
      decide:
        () =>
        ({ before }) => {
          edited.push(before.transactionId)
          return {}
        },
    }),
}

let read: LoggedEvent[] = []

/** Reads all that is told of money. */
const listener: Reader = {
  name: 'test.listener',
  types: [...eventTypes()].filter((type) => /^(transaction|transfer)\./.test(type)),
  react: async (_, events) => {
    read.push(...events.filter(({ resourceType }) => resourceType === 'transaction'))
    return {}
  },
}

const readOn = () => runReaders([listener], (operation) => contextWith({ operation }))

describe('a preparation, a follow and a reader', () => {
  it.each([...ways, ...jobWays])('know %s, once each', async (name, movements, way) => {
    const books = await newBooks()
    const act = await way(books)
    const known = (await eventsOfAll(books.me)).length
    registerHooks([...ledgerHooks, diary, counting])
    await rows('DELETE FROM diary')
    // The first run of a reader begins at the end of the log.
    await readOn()
    await readOn()
    ;[asked, edited, read] = [[], [], []]
    expect((await act()).status).toBeLessThan(300)
    expect(asked.reduce((sum, count) => sum + count, 0)).toBe(DRAFTS[name] ?? 0)
    const entries = await diaryOf()
    expect(edited).toEqual(entries.slice(0, EDITS[name] ?? 0).map(({ id }) => id))
    expect(entries.map(({ what }) => what)).toEqual(movements)
    // A row that is matched into a part keeps what is attached to it.
    const isPart = movements.includes('matched') && movements.includes('amended')
    for (const { what, into } of entries) {
      const isReplaced = ['matched', 'unmatched', 'merged'].includes(what) && !isPart
      expect(into !== null, what).toBe(isReplaced)
    }
    const changes = entries.map(({ id, what }) => `${id} ${what}`)
    expect(changes).toEqual([...new Set(changes)])
    // What reads the log is told of the same ones, and in each commit of each account's side of them once.
    const told = (await eventsOfAll(books.me)).slice(known)
    expect(new Set(told.map(({ id }) => addressOf(id).transactionId))).toEqual(
      new Set(entries.map(({ id }) => id)),
    )
    const sides = told.map(({ id, accountId, commitId }) => `${commitId} ${id} ${accountId}`)
    expect(sides).toEqual([...new Set(sides)])
    await readOn()
    expect(read.map(({ type, resourceId, accountId }) => [type, resourceId, accountId])).toEqual(
      told.map(({ type, id, accountId }) => [type, id, accountId]),
    )
    expect(await flawsOfLog(books.me)).toEqual([])
  })
})

describe('a follow', () => {
  it('knows which are erased with their account, and what is left of them, but not what was in the trash', async () => {
    const { me, one, two } = await newBooks()
    const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' }
    const { id } = await ok(createTransfer, { as: me, json })
    const dropped = await book(me, two)
    await ok(deleteTransaction, { as: me, id: dropped.id })
    await rows('DELETE FROM diary')
    registerHooks([...ledgerHooks, diary])
    await ok(eraseFromTrash, { as: me, path: { kind: 'transaction', id: dropped.id } })
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    await work(me.id)
    expect(await diaryOf()).toEqual([
      { id, what: 'erased', into: null },
      { id: id.replace('trf_', 'txn_'), what: 'booked', into: null },
    ])
  })
})

describe('a backup that is restored', () => {
  it('moves nothing, as it brings what is attached, and is told of by itself, once', async () => {
    const books = await newBooks()
    await book(books.me, books.one)
    const { archive } = await backedUp(books.me)
    registerHooks([...ledgerHooks, diary, counting])
    await rows('DELETE FROM diary')
    ;[asked, edited, read] = [[], [], []]
    const told: [string, string | null, string | null][] = []
    const restores: Reader = {
      name: 'test.restores',
      types: ['backup.rowsRestored', 'backup.restored'],
      react: async (_, events) => {
        told.push(
          ...events.map(({ type, resourceId, content }): (typeof told)[0] => [
            type,
            resourceId,
            content,
          ]),
        )
        return {}
      },
    }
    const readAll = () =>
      runReaders([restores, listener], (operation) => contextWith({ operation }))
    await readAll()
    await readAll()
    read = []
    const other = await newUser()
    const { id } = await restored(other, archive)
    await readAll()
    await readAll()
    expect([await diaryOf(), asked, edited, read]).toEqual([[], [], [], []])
    const [transactions, ...more] = told.filter(([, , content]) =>
      Object.keys(JSON.parse(content ?? '{}') as object).includes('transactions'),
    )
    expect([transactions, more]).toEqual([
      ['backup.rowsRestored', id, JSON.stringify({ transactions: 1 })],
      [],
    ])
    expect(told.filter(([type]) => type === 'backup.restored').map(([, of]) => of)).toEqual([id])
  })
})

describe('a preparation', () => {
  const coffee = { payeeRaw: 'COFFEE BAR 12' }

  async function newDrinker() {
    const books = await newBooks()
    const { id } = await ok(createCategory, {
      as: books.me,
      json: { name: 'Coffee', kind: 'expense' },
    })
    registerHooks([...ledgerHooks, coffeeRule])
    asked = []
    const used = async () =>
      (await rows<{ version: number }>('SELECT version FROM categories WHERE id = ?', id))[0]
        ?.version
    return { ...books, id, used, before: await used() }
  }

  it('says more of what is recorded, in the same trip', async () => {
    const { me, one, id, used, before = 0 } = await newDrinker()
    expect(await book(me, one, coffee)).toMatchObject({ categoryId: id, note: 'By a rule' })
    expect(await book(me, one)).toMatchObject({ categoryId: null, note: null })
    expect(asked).toEqual([1, 1])
    expect(await used()).toBe(before + 1)
  })

  it('is asked once for many, and changes nothing for what is not booked', async () => {
    const { me, one, id, used, before = 0 } = await newDrinker()
    await book(me, one, { externalId: 'bank-1' })
    const transactions = [
      expenseOn(one, { ...coffee, externalId: 'bank-1' }),
      expenseOn(one, { ...coffee, externalId: 'bank-2' }),
      expenseOn(one),
    ]
    asked = []
    await ok(createTransactions, { as: me, json: { transactions, dryRun: true } })
    expect(await used()).toBe(before)
    const { results } = await ok(createTransactions, { as: me, json: { transactions } })
    expect(results.map(({ transaction }) => transaction?.categoryId)).toEqual([null, id, null])
    expect(asked).toEqual([3, 3])
    expect(await used()).toBe(before + 1)
  })

  it('sees parts and status, and says them', async () => {
    const { me, one } = await newBooks()
    const seen: unknown[] = []
    const splitRule: LedgerHook = {
      prepare: () =>
        preparation({
          decide: () => (draft) => {
            seen.push([draft.status, draft.splits?.map(({ amount }) => amount)])
            return draft.splits
              ? { status: 'cleared' }
              : { splits: [{ amount: '12' }, { amount: '0.30', note: 'Tip' }], status: 'pending' }
          },
        }),
    }
    registerHooks([...ledgerHooks, splitRule])
    const whole = await book(me, one)
    expect(whole.status).toBe('pending')
    expect(whole.splits.map(({ amount, note }) => [amount, note])).toEqual([
      ['12.00', null],
      ['0.30', 'Tip'],
    ])
    const splits = [{ amount: '10' }, { amount: '2.30' }]
    const transactions = [expenseOn(one, { splits, status: 'reconciled' })]
    const { results } = await ok(createTransactions, { as: me, json: { transactions } })
    expect(results.map(({ transaction }) => transaction?.status)).toEqual(['cleared'])
    expect(seen).toEqual([
      ['uncleared', undefined],
      ['reconciled', ['10', '2.30']],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('says nothing by what it leaves undefined', async () => {
    const { me, one } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    registerHooks([
      ...ledgerHooks,
      {
        prepare: () =>
          preparation({
            decide: () => () => ({ description: undefined, expenseCategoryIds: [] }),
          }),
      },
    ])
    const refund = { kind: 'income', description: 'Tea', categoryId } as const
    expect(await book(me, one, refund)).toMatchObject({ description: 'Tea', categoryId })
    expect(await differencesOf(me)).toEqual([])
  })

  it('says more of a transfer', async () => {
    const { me, one, two, used, before = 0 } = await newDrinker()
    const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '100' }
    const { note } = await ok(createTransfer, { as: me, json: { ...json, note: 'Coffee money' } })
    expect([note, await used(), asked]).toEqual(['By a rule', before + 1, [1]])
  })
})

it('nothing is booked where no hooks are registered', () => {
  registerHooks(undefined as unknown as LedgerHook[])
  const errors = { gone: nothingHere, closed: conflicting }
  const movement: TransactionMovement = {
    what: 'booked',
    id: 'txn_1',
    accountIds: [],
    change: 'money',
  }
  const posting = { written: [], movements: [movement], journalEvents: [] }
  expect(() => post(contextWith(), errors, posting)).toThrow('no hooks of the ledger')
})
