import { describe, expect, it } from 'vitest'
import {
  createPayee,
  deletePayee,
  getPayee,
  listPayees,
  mergePayees,
  updatePayee,
  createPayeeAlias,
  deletePayeeAlias,
  resolvePayee,
  listPayeeAliases,
} from '../../../src/areas/money/payees/payees.routes.ts'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, change, newCategory, refusal, tripsOf } from '../transactions/booking.ts'

type Wanted = NonNullable<NonNullable<Parameters<typeof call<typeof createPayee>>[1]>['json']>

let serial = 0

const newPayee = (as: Principal, wanted: Partial<Wanted> = {}) =>
  ok(createPayee, { as, json: { name: `Payee ${++serial}`, ...wanted } })

const merge = (as: Principal, id: string, payeeIds: string[]) =>
  call(mergePayees, { as, id, json: { payeeIds } })

const remove = (as: Principal, id: string, reassignTo?: string, headers = {}) =>
  call(deletePayee, { as, id, headers, query: reassignTo === undefined ? {} : { reassignTo } })

const meaning = async (as: Principal, raw: string) => {
  const { payee, reason, alias } = await ok(resolvePayee, { as, query: { raw } })
  return [payee?.id ?? null, reason, alias]
}

describe('a payee', () => {
  it('is created with aliases, shown, and changed', async () => {
    const me = await newUser()
    const { id: categoryId } = await newCategory(me)
    const json = { name: ' Tesco ', aliases: ['TESCO 1', 'TESCO 2'], defaultCategoryId: categoryId }
    const created = await call(createPayee, { as: me, json: { ...json, note: 'x' } })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({
      name: 'Tesco',
      defaultCategoryId: categoryId,
      note: 'x',
      ...{ archived: false, excludeFromReports: false },
      lastUsedAt: null,
      version: 1,
    })
    expect(created.body.aliases.toSorted()).toEqual(json.aliases)
    const { id } = created.body
    const shown = await call(getPayee, { as: me, id })
    expect(shown.body).toEqual({ ...created.body, totals: [] })
    expect(tripsOf(shown)).toBe(1)
    const changed = await ok(updatePayee, {
      as: me,
      id,
      json: { defaultCategoryId: null, archived: true, excludeFromReports: true },
    })
    expect(changed).toMatchObject({ name: 'Tesco', defaultCategoryId: null, note: 'x', version: 2 })
    expect(changed.excludeFromReports).toBe(true)
    const listed = await call(listPayees, { as: me, query: { archived: 'true' } })
    expect(listed.body).toEqual({ payees: [changed], count: 1, nextCursor: null })
    expect(tripsOf(listed)).toBe(1)
  })

  it('is found by a part of its name or of an alias, in any case, and by no pattern', async () => {
    const me = await newUser()
    const tesco = await newPayee(me, { name: 'Tesco', aliases: ['STRASSE_1'] })
    const cafe = await newPayee(me, { name: 'Café 100%' })
    const found = async (search: string) =>
      (await ok(listPayees, { as: me, query: { search } })).payees.map(({ id }) => id)
    expect(await found('ESC')).toEqual([tesco.id])
    expect(await found('straße')).toEqual([tesco.id])
    expect(await found('CAFE\u0301')).toEqual([cafe.id])
    expect(await found('%')).toEqual([cafe.id])
    expect(await found('_')).toEqual([tesco.id])
    expect(await found('nowhere')).toEqual([])
    expect((await ok(listPayees, { as: me, query: { search: 'esc' } })).count).toBe(1)
  })

  it('has a name and aliases of its own', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await newPayee(me, { name: 'Tesco', aliases: ['T 1'] })
    await newPayee(other, { name: 'Tesco', aliases: ['T 1'] })
    const create = async (json: Wanted) => refusal(await call(createPayee, { as: me, json }))
    expect(await create({ name: 'TESCO' })).toEqual([409, 'payees.nameTaken', 'name'])
    expect(await create({ name: 'X', aliases: ['t  1'] })).toEqual([
      409,
      'payees.aliasTaken',
      'aliases',
    ])
    expect(await create({ name: 'X', aliases: ['a', 'A'] })).toEqual([
      409,
      'payees.aliasTaken',
      'aliases',
    ])
    const foreign = await newCategory(other)
    expect(await create({ name: 'X', defaultCategoryId: foreign.id })).toEqual([
      400,
      'payees.unknownCategory',
      'defaultCategoryId',
    ])
  })

  it('of another user is not there', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await newPayee(other)
    const mine = await newPayee(me)
    for (const answer of [
      await call(getPayee, { as: me, id }),
      await call(updatePayee, { as: me, id, json: { name: 'x' } }),
      await remove(me, id),
      await merge(me, id, [mine.id]),
      await call(listPayeeAliases, { as: me, id }),
      await call(createPayeeAlias, { as: me, id, json: { raw: 'x' } }),
    ]) {
      expect(refusal(answer)).toEqual([404, 'payees.notFound'])
    }
    expect(refusal(await merge(me, mine.id, [id]))).toEqual([
      400,
      'payees.unknownPayee',
      'payeeIds.0',
    ])
    expect(refusal(await remove(me, mine.id, id))).toEqual([
      400,
      'payees.unknownPayee',
      'reassignTo',
    ])
  })

  it('gets no usual category that is deleted meanwhile', async () => {
    const me = await newUser()
    const { id } = await newPayee(me)
    const category = await newCategory(me)
    const json = { name: 'x', defaultCategoryId: category.id }
    const unknown = [400, 'payees.unknownCategory', 'defaultCategoryId']
    const [next, other] = [await newCategory(me), await newCategory(me)]
    const deleting = (gone: { id: string }) =>
      serviceWith({ meanwhile: () => ok(deleteCategory, { as: me, id: gone.id }) })
    expect(refusal(await deleting(category).call(createPayee, { as: me, json }))).toEqual(unknown)
    const changed = { defaultCategoryId: next.id }
    const raced = await deleting(next).call(updatePayee, { as: me, id, json: changed })
    expect(refusal(raced)).toEqual(unknown)
    // What was not sent is not what is wrong.
    await ok(updatePayee, { as: me, id, json: { defaultCategoryId: other.id } })
    const { id: reassignTo } = await newCategory(me)
    const taken = serviceWith({
      meanwhile: () => ok(deleteCategory, { as: me, id: other.id, query: { reassignTo } }),
    })
    const late = await taken.call(updatePayee, { as: me, id, json: { note: 'x' } })
    expect(refusal(late)).toEqual([409, 'request.conflict'])
  })

  it('is not deleted in favour of one that is deleted meanwhile', async () => {
    const me = await newUser()
    const [one, other] = [await newPayee(me), await newPayee(me)]
    await book(me, await newAccount(me), { payeeId: one.id })
    const raced = await serviceWith({ meanwhile: () => remove(me, other.id) }).call(deletePayee, {
      as: me,
      id: one.id,
      query: { reassignTo: other.id },
    })
    expect(refusal(raced)).toEqual([400, 'payees.unknownPayee', 'reassignTo'])
  })

  it('is changed by nobody who read another version', async () => {
    const me = await newUser()
    const { id } = await newPayee(me)
    const meanwhile = () => ok(updatePayee, { as: me, id, json: { note: 'x' } })
    const raced = await serviceWith({ meanwhile }).call(updatePayee, {
      as: me,
      id,
      json: { name: 'x' },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    const headers = { 'If-Match': '"1-x"' }
    const late = await call(updatePayee, { as: me, id, json: { name: 'x' }, headers })
    expect(refusal(late)).toEqual([412, 'request.stale'])
    expect(refusal(await remove(me, id, undefined, headers))).toEqual([412, 'request.stale'])
  })

  it('tells what was moved with it, by currency, parts with others left out, and its last use', async () => {
    const me = await newUser()
    const [euro, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const [shop, bank] = [await newPayee(me), await newPayee(me)]
    await book(me, euro, { payeeId: shop.id, amount: '5' })
    const split = await book(me, euro, {
      payeeId: shop.id,
      amount: '10',
      splits: [{ amount: '12' }, { amount: '-3' }, { amount: '1', payeeId: bank.id }],
    })
    await book(me, euro, { payeeId: shop.id, amount: '7', status: 'void' })
    const yens = await book(me, yen, { payeeId: shop.id, amount: '300', kind: 'income' })
    const { totals, lastUsedAt } = await ok(getPayee, { as: me, id: shop.id })
    expect(totals).toEqual([
      { currency: 'EUR', paid: '17.00', received: '3.00', transactionCount: 2 },
      { currency: 'JPY', paid: '0', received: '300', transactionCount: 1 },
    ])
    expect(lastUsedAt).toBe(yens.createdAt)
    const other = await ok(getPayee, { as: me, id: bank.id })
    expect(other).toMatchObject({
      totals: [{ currency: 'EUR', paid: '1.00', received: '0.00', transactionCount: 1 }],
      lastUsedAt: split.createdAt,
    })
    await ok(deleteTransaction, { as: me, id: split.id })
    expect(await ok(getPayee, { as: me, id: bank.id })).toMatchObject({
      totals: [],
      lastUsedAt: null,
    })
  })
})

describe('aliases', () => {
  it('are added, listed and removed, each with a new version of the payee', async () => {
    const me = await newUser()
    const { id } = await newPayee(me)
    const alias = await call(createPayeeAlias, { as: me, id, json: { raw: ' TESCO 3 ' } })
    expect([alias.status, alias.body.raw, tripsOf(alias)]).toEqual([201, 'TESCO 3', 2])
    const listed = await call(listPayeeAliases, { as: me, id })
    expect([listed.body, tripsOf(listed)]).toEqual([{ aliases: [alias.body], count: 1 }, 1])
    expect(await ok(getPayee, { as: me, id })).toMatchObject({ aliases: ['TESCO 3'], version: 2 })
    const again = await call(createPayeeAlias, { as: me, id, json: { raw: 'tesco  3' } })
    expect(refusal(again)).toEqual([409, 'payees.aliasTaken', 'raw'])
    const path = `/payee/${id}/alias/${alias.body.id}`
    const removing = (aliasId: string, headers = {}) =>
      call(
        { ...deletePayeeAlias, path: path.replace(alias.body.id, aliasId) } as never,
        {
          as: me,
          headers,
        } as never,
      )
    expect(refusal(await removing(someId('pal')))).toEqual([404, 'payees.aliasNotFound'])
    expect(refusal(await removing(alias.body.id, { 'If-Match': '"1-x"' }))).toEqual([
      412,
      'request.stale',
    ])
    expect((await removing(alias.body.id)).status).toBe(200)
    const told = await rows(
      "SELECT type, content FROM log_entries WHERE resource_id = ? AND type LIKE 'payee.alias%' ORDER BY number",
      id,
    )
    expect(told).toEqual([
      { type: 'payee.aliasAdded', content: '{"after":{"raw":"TESCO 3"}}' },
      { type: 'payee.aliasRemoved', content: '{"before":{"raw":"TESCO 3"}}' },
    ])
    expect(await ok(getPayee, { as: me, id })).toMatchObject({ aliases: [], version: 3 })
  })

  it('stay where another version of the payee is named than it has by then', async () => {
    const me = await newUser()
    const { id } = await newPayee(me)
    const { id: aliasId } = await ok(createPayeeAlias, { as: me, id, json: { raw: 'first' } })
    const meanwhile = () => ok(updatePayee, { as: me, id, json: { note: 'x' } })
    const removing = (headers = {}) =>
      serviceWith({ meanwhile }).call(deletePayeeAlias, { as: me, path: { id, aliasId }, headers })
    expect(refusal(await removing({ 'If-Match': '"2"' }))).toEqual([412, 'request.stale'])
    expect(await ok(getPayee, { as: me, id })).toMatchObject({ aliases: ['first'], version: 3 })
    expect((await removing()).status).toBe(200)
  })

  it('are not changed when they, or their payee, are deleted meanwhile', async () => {
    const me = await newUser()
    const [one, other] = [await newPayee(me), await newPayee(me)]
    const aliasOf = ({ id }: { id: string }, raw: string) =>
      ok(createPayeeAlias, { as: me, id, json: { raw } })
    const [first, second] = [await aliasOf(one, 'first'), await aliasOf(other, 'second')]
    const removal = ({ id }: { id: string }, alias: { id: string }) => ({
      as: me,
      path: { id, aliasId: alias.id },
    })
    const twice = serviceWith({
      meanwhile: () => ok(deletePayeeAlias, removal(one, first)),
    }).call(deletePayeeAlias, removal(one, first))
    expect(refusal(await twice)).toEqual([404, 'payees.aliasNotFound'])
    const removed = serviceWith({ meanwhile: () => remove(me, other.id) })
    const alone = await removed.call(deletePayeeAlias, removal(other, second))
    expect(refusal(alone)).toEqual([404, 'payees.notFound'])
    const added = serviceWith({ meanwhile: () => remove(me, one.id) })
    const late = await added.call(createPayeeAlias, { as: me, id: one.id, json: { raw: 'x' } })
    expect(refusal(late)).toEqual([404, 'payees.notFound'])
  })

  it('say which payee a text of a bank means, before names do; archived ones mean nothing', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const tesco = await newPayee(me, { name: 'Tesco', aliases: ['TESCO  Stores'] })
    const shop = await newPayee(me, { name: 'Shop', aliases: ['Corner'] })
    const corner = await newPayee(me, { name: 'Corner' })
    expect(await meaning(me, 'tesco stores')).toEqual([tesco.id, 'alias', 'TESCO  Stores'])
    expect(await meaning(me, 'TESCO')).toEqual([tesco.id, 'name', null])
    expect(await meaning(me, 'corner')).toEqual([shop.id, 'alias', 'Corner'])
    expect(await meaning(me, 'tesco stores 2')).toEqual([null, null, null])
    expect(await meaning(other, 'tesco stores')).toEqual([null, null, null])
    await ok(updatePayee, { as: me, id: shop.id, json: { archived: true } })
    expect(await meaning(me, 'corner')).toEqual([corner.id, 'name', null])
    const asked = await call(resolvePayee, { as: me, query: { raw: 'TESCO' } })
    expect([tripsOf(asked), asked.body.payee]).toEqual([1, tesco])
    const empty = await call(resolvePayee, { as: me, query: { raw: '' } })
    expect(refusal(empty)).toEqual([400, 'request.invalid', 'raw'])
  })

  it('end at 200', async () => {
    const me = await newUser()
    const aliases = Array.from({ length: 200 }, (_, at) => `alias ${at}`)
    const { id } = await newPayee(me, { aliases })
    const refused = await call(createPayeeAlias, { as: me, id, json: { raw: 'one more' } })
    expect(refusal(refused)).toEqual([409, 'payees.tooManyAliases'])
  })
})

describe('merging', () => {
  it('moves transactions and aliases, and makes the names aliases', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const kept = await newPayee(me, { name: 'Tesco', aliases: ['third'] })
    const old = await newPayee(me, { name: 'Tesco Stores', aliases: ['TESCO 1'] })
    const third = await newPayee(me, { name: 'Third' })
    const whole = await book(me, account, { payeeId: old.id, payeeRaw: 'TESCO 1' })
    const split = await book(me, account, {
      payeeId: old.id,
      splits: [{ amount: '2.30', payeeId: third.id }, { amount: '10' }],
    })
    const merged = await merge(me, kept.id, [old.id, third.id])
    expect([merged.status, tripsOf(merged)]).toEqual([200, 2])
    const after = await ok(getPayee, { as: me, id: kept.id })
    expect(after.aliases.toSorted()).toEqual(['TESCO 1', 'Tesco Stores', 'third'])
    expect(after.version).toBe(2)
    const moved = await ok(getTransaction, { as: me, id: whole.id })
    expect(moved).toEqual({ ...whole, payeeId: kept.id, version: 2, updatedAt: moved.updatedAt })
    const parts = await ok(getTransaction, { as: me, id: split.id })
    expect([parts.payeeId, ...parts.splits.map(({ payeeId }) => payeeId)]).toEqual([
      kept.id,
      kept.id,
      null,
    ])
    expect(refusal(await call(getPayee, { as: me, id: old.id }))).toEqual([404, 'payees.notFound'])
    expect(await meaning(me, 'Tesco stores')).toEqual([kept.id, 'alias', 'Tesco Stores'])
    const logged = await rows<{ type: string; id: string; content: string }>(
      `SELECT l.type, l.resource_id AS id, l.content FROM log_entries m
        JOIN log_entries l ON l.commit_number = m.commit_number
        WHERE m.resource_id = ? AND m.type = 'payee.merged'`,
      old.id,
    )
    const line = Number(split.splits[0]?.id.split('-')[1])
    const withPayees = (whole: string, part: string) => ({
      payeeId: whole,
      splits: [{ line, payeeId: part }],
    })
    const gone = (name: string, aliases: string[]) => ({
      before: expect.objectContaining({ name, aliases }),
      into: kept.id,
    })
    expect(
      Object.fromEntries(
        logged.map(({ type, id, content }) => [`${type} ${id}`, JSON.parse(content)]),
      ),
    ).toEqual({
      [`payee.merged ${old.id}`]: gone('Tesco Stores', ['TESCO 1']),
      [`payee.merged ${third.id}`]: gone('Third', []),
      [`transaction.updated ${whole.id}`]: {
        before: { payeeId: old.id },
        after: { payeeId: kept.id },
      },
      [`transaction.updated ${split.id}`]: {
        before: withPayees(old.id, third.id),
        after: withPayees(kept.id, kept.id),
      },
    })
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses itself and one that is named twice', async () => {
    const me = await newUser()
    const [one, other] = [await newPayee(me), await newPayee(me)]
    const refused = async (ids: string[]) => refusal(await merge(me, one.id, ids))
    expect(await refused([one.id])).toEqual([400, 'payees.unknownPayee', 'payeeIds.0'])
    expect(await refused([other.id, other.id])).toEqual([400, 'payees.unknownPayee', 'payeeIds.1'])
    expect(await refused([])).toEqual([400, 'request.invalid', 'payeeIds'])
  })

  it('is refused when a booking with one of them comes in between', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [one, other] = [await newPayee(me), await newPayee(me)]
    const meanwhile = () => book(me, account, { payeeId: other.id })
    const raced = await serviceWith({ meanwhile }).call(mergePayees, {
      as: me,
      id: one.id,
      json: { payeeIds: [other.id] },
    })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })

  it('is refused when the one that stays is deleted, or another would have too many aliases', async () => {
    const me = await newUser()
    const [one, other] = [await newPayee(me), await newPayee(me)]
    const raced = await serviceWith({ meanwhile: () => remove(me, one.id) }).call(mergePayees, {
      as: me,
      id: one.id,
      json: { payeeIds: [other.id] },
    })
    expect(refusal(raced)).toEqual([404, 'payees.notFound'])
    const aliases = Array.from({ length: 200 }, (_, at) => `one of many ${at}`)
    const { id } = await newPayee(me, { aliases })
    expect(refusal(await merge(me, id, [other.id]))).toEqual([409, 'payees.tooManyAliases'])
  })

  it('100 at once, with edits of transactions, leave nothing dangling', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const all = await Promise.all(Array.from({ length: 10 }, () => newPayee(me)))
    const idAt = (at: number) => all[at % 10]?.id ?? ''
    const booked = await Promise.all(all.map(({ id }) => book(me, account, { payeeId: id })))
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at): Promise<{ status: number }> => {
        const writes = [
          () => merge(me, idAt(at), [idAt(at * 3 + 1), idAt(at * 7 + 2)]),
          () => change(me, booked[at % 10] ?? { id: '' }, { payeeId: idAt(at * 3) }),
          () => remove(me, idAt(at), idAt(at + 5)),
        ]
        return writes[at % 3]?.() ?? Promise.reject(new Error())
      }),
    )
    expect(answers.filter(({ status }) => ![200, 400, 404, 409].includes(status))).toEqual([])
    const dangling = await rows(
      `SELECT 1 FROM transaction_payees WHERE payee_id NOT IN (SELECT id FROM payees)
       UNION ALL SELECT 1 FROM payee_aliases WHERE payee_id NOT IN (SELECT id FROM payees)`,
    )
    expect(dangling).toEqual([])
    const linked = await rows(
      'SELECT 1 FROM transaction_payees l JOIN transactions t ON t.id = l.transaction_id WHERE t.owner_id = ?',
      me.id,
    )
    expect(linked).toHaveLength(10)
  })
})

describe('deleting', () => {
  it('needs another payee for the transactions, and says how many there are', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [old, kept] = [await newPayee(me, { aliases: ['OLD 1'] }), await newPayee(me)]
    const { id } = await book(me, account, { payeeId: old.id, payeeRaw: 'OLD 1' })
    const refused = await remove(me, old.id)
    expect(refusal(refused)).toEqual([409, 'payees.inUse', 'reassignTo'])
    expect(refused.error.error).toContain('The payee has 1 transactions')
    expect((await remove(me, old.id, kept.id)).status).toBe(200)
    expect(await ok(getTransaction, { as: me, id })).toMatchObject({
      payeeId: kept.id,
      payeeRaw: 'OLD 1',
    })
    expect(await meaning(me, 'OLD 1')).toEqual([null, null, null])
    const unused = await newPayee(me)
    const gone = await remove(me, unused.id)
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
  })

  it('counts a usual category as used, and takes it along when categories are merged', async () => {
    const me = await newUser()
    const [food, home] = [await newCategory(me), await newCategory(me)]
    const { id } = await newPayee(me, { defaultCategoryId: food.id })
    const refused = await call(deleteCategory, { as: me, id: food.id })
    expect(refusal(refused)).toEqual([409, 'categories.inUse', 'reassignTo'])
    await ok(mergeCategory, { as: me, id: home.id, json: { categoryId: food.id } })
    expect(await ok(getPayee, { as: me, id })).toMatchObject({
      defaultCategoryId: home.id,
      version: 2,
    })
  })
})
