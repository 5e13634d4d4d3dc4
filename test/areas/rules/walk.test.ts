import { expect, it } from 'vitest'
import { call, ok } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import {
  deleteCategory,
  mergeCategory,
  updateCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  createPayee,
  deletePayee,
  listPayees,
  mergePayees,
  updatePayee,
} from '../../../src/areas/money/payees/payees.routes.ts'
import {
  createRule,
  deleteRule,
  listRules,
  reorderRules,
  runRules,
  updateRule,
} from '../../../src/areas/money/rules/rules.routes.ts'
import {
  createTag,
  deleteTag,
  mergeTag,
  updateTag,
} from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { change, newCategory, refusal } from '../transactions/booking.ts'
import { inventing } from './inventing.fixtures.ts'
import {
  type Books,
  brokenIn,
  type Label,
  type Leg,
  newBooks,
  recorded,
  relabel,
  isMet,
  run,
  type RunOutcome,
  shownOf,
  shownPart,
  store,
  usable,
} from './walk.fixtures.ts'

// Random steps of somebody with rules, beside a model in memory: after each, every transaction and every rule is as the model says.

const STEPS = rounds(250, 5000)
const MOST_LEGS = 90
const MOST_RULES = 9

async function newScene() {
  const me = await newUser()
  const books = newBooks()
  for (const currency of ['EUR', 'EUR', 'JPY', 'BHD']) {
    books.accounts.set((await newAccount(me, { currency })).id, currency)
  }
  const add = (kind: Label['kind'], { id, name }: { id: string; name: string }, more = {}) =>
    books.labels.set(id, {
      ...{ id, kind, name, isIncome: false, archived: false, aliases: [], usual: null },
      ...more,
    })
  for (const kind of ['expense', 'expense', 'expense', 'expense', 'income', 'income'] as const) {
    add('category', await newCategory(me, kind), { isIncome: kind === 'income' })
  }
  const categories = [...books.labels.keys()]
  for (const [at, name] of ['Amazon', 'Rewe {note}', 'Kroger', 'Bank', 'Shop'].entries()) {
    const aliases = [`KRG ${at}`]
    const usual = at < 2 ? null : (categories[at] ?? null)
    const json = { name, aliases, defaultCategoryId: usual }
    add('payee', await ok(createPayee, { as: me, json }), { aliases, usual })
  }
  for (const name of ['trip', 'work', 'home', 'later', 'old']) {
    add('tag', await ok(createTag, { as: me, json: { name } }))
  }
  return { me, books }
}

type Shown = ReturnType<typeof shownOf>

const SHOWN = [
  ...(['id', 'accountId', 'currency', 'status', 'kind', 'date', 'source', 'private'] as const),
  ...(['payeeRaw', 'description', 'note', 'payeeId', 'categoryId', 'reviewed'] as const),
  ...(['metadata', 'version', 'amount', 'signedAmount'] as const),
]

/** What the model knows of a transaction as the service shows it. */
const pickShown = (one: Shown): Shown => ({
  ...(Object.fromEntries(SHOWN.map((key) => [key, one[key]])) as unknown as Shown),
  tagIds: one.tagIds.toSorted(),
  splits: one.splits.map(({ amount, categoryId, payeeId, tagIds, note }) => ({
    ...{ amount, categoryId, payeeId, note, tagIds: tagIds.toSorted() },
  })),
})

const otherLeg = (id: string) => id.replace(/-[12]$/, (leg) => (leg === '-1' ? '-2' : '-1'))

/** An outcome of a run as the service tells it. */
function outcomeOf({ leg, after, by, failed, code }: RunOutcome, version: number) {
  const value = (field: string): unknown => {
    const one = after[field as keyof typeof after]
    return field === 'splits'
      ? after.splits.map((part) => shownPart(part, leg.currency))
      : Array.isArray(one)
        ? one.toSorted()
        : one
  }
  return {
    ...{ id: leg.id, version, failed },
    status: code === undefined ? (by.size > 0 ? 'changed' : 'unchanged') : 'invalid',
    code,
    changes: [...by].map(([field, ruleId]) => ({ field, ruleId, after: value(field) })),
  }
}

function stepsOf(me: TestUser, books: Books, random: Random) {
  const invent = inventing(random, books)
  let serial = 0
  const listed = async () =>
    (await ok(listTransactions, { as: me, query: { limit: '200' } })).transactions
  /** The ids of what was booked belong to what should have been. */
  const take = (legs: Omit<Leg, 'id'>[], id = '') =>
    legs.forEach((leg, at) => books.legs.push({ ...leg, id: at === 0 ? id : otherLeg(id) }))
  const label = () =>
    random.pick([...books.labels.values()].filter(({ gone }) => gone === undefined))
  const others = ({ id, kind, isIncome }: Label) =>
    usable(books, kind).filter((one) => one.id !== id && one.isIncome === isIncome)
  const steps: Record<string, () => Promise<void>> = {
    book: async () => {
      const draft = { ...invent.draft(), ...(random.chance(0.05) ? { applyRules: false } : {}) }
      const { kind, ...json } = draft
      const legs = recorded(books, draft, 'user')
      const isExpense = kind === 'expense' && legs.length === 1 && random.chance(0.4)
      const { id } = isExpense
        ? await ok(createExpense, { as: me, json })
        : await ok(createTransaction, { as: me, json: draft as never })
      take(legs, id)
    },
    bookMany: async () => {
      const transactions = Array.from({ length: random.whole(1, 5) }, invent.draft)
      const applyRules = random.chance(0.85)
      const json = { transactions, applyRules } as never
      const { results } = await ok(createTransactions, { as: me, json })
      for (const [at, draft] of transactions.entries()) {
        take(recorded(books, { ...draft, applyRules }, 'user'), results[at]?.transaction?.id)
      }
    },
    bookTransfer: async () => {
      const draft = invent.transfer([...books.accounts.keys()].slice(0, 2))
      const { kind: _, accountId: fromAccountId, ...rest } = draft
      const { from } = await ok(createTransfer, {
        as: me,
        json: { ...rest, fromAccountId } as never,
      })
      take(recorded(books, draft, 'user'), from.id)
    },
    importFile: async () => {
      const [accountId = ''] = books.accounts.keys()
      const drafts = Array.from({ length: random.whole(1, 4) }, (_, at) =>
        // An amount below zero says how the signs are meant.
        invent.fileRow(at === 0, accountId, `${4000 + ++serial}.11`),
      )
      const lines = drafts.map(
        ({ kind, amount, date, payeeRaw }) =>
          `${date},${kind === 'expense' ? '-' : ''}${amount},${payeeRaw}`,
      )
      const wish = random.chance(0.1) ? { applyRules: false } : {}
      const file = await uploaded(me, csv(lines, 'date,amount,payee'), { accountId })
      const { counts } = await committed(me, file.id, wish)
      expect(counts).toMatchObject({ new: drafts.length })
      const found = await listed()
      for (const draft of drafts) {
        const row = found.find((one) => one.amount === draft.amount && one.accountId === accountId)
        take(recorded(books, { ...draft, ...wish }, 'import'), row?.id)
      }
    },
    edit: async () => {
      const leg = random.pick(books.legs)
      const isTransfer = leg.head.kind === 'transfer'
      const fits = ({ isIncome }: Label) => leg.head.kind === 'income' || !isIncome
      const category = random.pick(usable(books, 'category').filter(fits)).id
      const canHave = ['expense', 'income'].includes(leg.head.kind) && leg.head.splits.length === 0
      const news = random.pick([
        { description: random.pick(['Rent', 'Parents', '']) },
        { note: random.pick(['{payee} mine', null]) },
        { payeeRaw: random.pick(['AMZN', 'KRG 1']) },
        { tagIds: [invent.idOf('tag')] },
        ...(canHave ? [{ categoryId: random.pick([category, null]) }] : []),
        ...(isTransfer
          ? []
          : [
              { payeeId: invent.idOrNull('payee') },
              { reviewed: random.chance(0.5) },
              {
                status: random.pick(['uncleared', 'cleared', 'reconciled', 'reconciled'] as const),
              },
            ]),
      ])
      const answer = await change(me, leg, { ...news, force: true })
      expect(answer.status, answer.text).toBe(200)
      const { status = leg.status, ...ofHead } = news as { status?: string }
      leg.status = status
      Object.assign(leg.head, ofHead)
      leg.head.version += 1
    },
    drop: async () => {
      if (books.legs.length > MOST_LEGS / 2) {
        const { id, head } = random.pick(books.legs)
        const query = { force: 'true' }
        const transfer = `trf${id.slice(3, -2)}`
        await (head.kind === 'transfer'
          ? ok(deleteTransfer, { as: me, id: transfer, query })
          : ok(deleteTransaction, { as: me, id, query }))
        books.legs = books.legs.filter((leg) => leg.head !== head)
      }
    },
    newRule: async () => {
      const before = random.chance(0.3)
        ? random.pick([{ id: undefined }, ...books.rules]).id
        : undefined
      const active = random.chance(0.85)
      const sent = { name: `Rule ${++serial}`, active, ...invent.rule() }
      if (books.rules.length < MOST_RULES) {
        const json = { ...sent, before } as never
        const { id } = await ok(createRule, { as: me, json })
        const at = books.rules.findIndex((rule) => rule.id === before)
        books.rules.splice(at < 0 ? books.rules.length : at, 0, { ...sent, id, version: 1 })
      }
    },
    changeRule: async () => {
      const rule = random.pick(books.rules)
      const made = invent.rule()
      const json = random.pick<object>([
        { active: !rule.active },
        { active: true },
        { condition: made.condition },
        { changes: made.changes },
        { overwrite: made.overwrite, stop: made.stop, on: made.on },
        { name: `Rule ${++serial}` },
      ])
      const isLate = random.chance(0.1)
      const headers = { 'If-Match': `"${rule.version - (isLate ? 1 : 0)}"` }
      const answer = await call(updateRule, { as: me, id: rule.id, json, headers })
      expect(answer.status, answer.text).toBe(isLate ? 412 : 200)
      if (!isLate) {
        Object.assign(rule, json, { version: rule.version + 1 })
      }
    },
    dropRule: async () => {
      const rule = random.pick(books.rules)
      await ok(deleteRule, { as: me, id: rule.id })
      books.rules = books.rules.filter((one) => one !== rule)
      books.trash.set(rule.id, rule)
    },
    bringRuleBack: async () => {
      const [rule] = books.trash.values()
      if (rule && books.rules.length < MOST_RULES) {
        await ok(restoreFromTrash, { as: me, path: { kind: 'rule', id: rule.id } })
        books.trash.delete(rule.id)
        books.rules.push({ ...rule, version: rule.version + 1 })
      }
    },
    orderRules: async () => {
      const ordered = books.rules.map((rule) => ({ rule, at: random.below(1000) }))
      books.rules = ordered.toSorted((a, b) => a.at - b.at).map(({ rule }) => rule)
      const ruleIds = books.rules.map(({ id }) => id)
      await ok(reorderRules, { as: me, json: { ruleIds } })
    },
    archive: async () => {
      const { id, kind, archived, ...one } = label()
      if (
        archived ||
        usable(books, kind).filter((other) => other.isIncome === one.isIncome).length > 2
      ) {
        const json = { archived: !archived }
        const route = { category: updateCategory, payee: updatePayee, tag: updateTag }[kind]
        await ok(route as typeof updateTag, { as: me, id, json })
        Object.assign(books.labels.get(id) ?? {}, json)
      }
    },
    merge: async () => {
      const from = label()
      const [to] = others(from)
      if (!to || others(from).length < 2) {
        return
      }
      const { id } = to
      await (from.kind === 'category'
        ? ok(mergeCategory, { as: me, id, json: { categoryId: from.id } })
        : from.kind === 'payee'
          ? ok(mergePayees, { as: me, id, json: { payeeIds: [from.id] } })
          : ok(mergeTag, { as: me, id, json: { tagId: from.id } }))
      from.gone = 'merged'
      to.aliases.push(...from.aliases, ...(from.kind === 'payee' ? [from.name] : []))
      relabel(books, from, id)
    },
    dropLabel: async () => {
      const from = label()
      const [to] = others(from)
      if (!to || others(from).length < 2) {
        return
      }
      const query = { reassignTo: to.id }
      await (from.kind === 'category'
        ? ok(deleteCategory, { as: me, id: from.id, query })
        : from.kind === 'payee'
          ? ok(deletePayee, { as: me, id: from.id, query })
          : ok(deleteTag, { as: me, id: from.id }))
      from.gone = 'trashed'
      relabel(books, from, from.kind === 'tag' ? null : to.id)
    },
    // Where it comes back is told by other tests: the model takes the labels that the service shows.
    bringLabelBack: async () => {
      const found = [...books.labels.values()].find(({ gone }) => gone === 'trashed')
      if (found) {
        const { id, kind } = found
        await ok(restoreFromTrash, { as: me, path: { kind, id } })
        delete found.gone
        for (const payee of (await ok(listPayees, { as: me })).payees) {
          Object.assign(books.labels.get(payee.id) ?? {}, { usual: payee.defaultCategoryId })
        }
        const shown = new Map((await listed()).map((one) => [one.id, one]))
        for (const { id: legId, head } of books.legs) {
          const now = shown.get(legId)
          const { version = 0, categoryId = null, payeeId = null, tagIds = [] } = now ?? {}
          expect(version - head.version).toBeLessThanOrEqual(1)
          Object.assign(head, { version, categoryId, payeeId, tagIds })
          now?.splits.forEach((part, at) =>
            Object.assign(head.splits[at] ?? {}, {
              ...{ categoryId: part.categoryId, payeeId: part.payeeId, tagIds: part.tagIds },
            }),
          )
        }
      }
    },
    usual: async () => {
      const payee = random.pick(usable(books, 'payee'))
      payee.usual = invent.idOrNull('category')
      await ok(updatePayee, { as: me, id: payee.id, json: { defaultCategoryId: payee.usual } })
    },
    runOnRows: async () => {
      const wishes = invent.wishes()
      const order = (await listed()).map(({ id }) => id)
      const condition = invent.condition()
      const byIds = random.chance(0.4)
      const chosen = books.legs
        .filter((leg) => leg.head.kind !== 'transfer')
        .filter((leg) => (byIds ? random.chance(0.3) : isMet(books, condition, leg)))
        .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
      const ids = chosen.map(({ id }) => id)
      if (byIds && ids.length === 0) {
        return
      }
      const dryRun = wishes.rule !== undefined || random.chance(0.3)
      // Both legs of a transfer in one run would be changed together.
      const isSingle = { field: 'kind', op: 'oneOf', value: ['expense', 'income', 'adjustment'] }
      const filter = { condition: { all: [isSingle, condition] } }
      const versions = chosen.map(({ id, head }) => [
        id,
        head.version - (random.chance(0.02) ? 1 : 0),
      ])
      const expectedVersions = Object.fromEntries(versions) as Record<string, number>
      const told = { ...wishes, ...(random.chance(0.4) ? { expectedVersions } : {}) }
      const expected = run(books, chosen, told)
      const json = { ...told, dryRun, ...(byIds ? { ids } : { filter }) } as never
      const answer = await call(runRules, { as: me, json })
      const isLate = chosen.some(
        ({ id, head }) => (told.expectedVersions?.[id] ?? head.version) !== head.version,
      )
      const code = isLate
        ? 'request.conflict'
        : expected.find((one) => one.code !== undefined)?.code
      if (code !== undefined && !dryRun) {
        expect(refusal(answer).slice(0, 2)).toEqual([409, code])
        return
      }
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).toMatchObject({ looked: chosen.length, dryRun, nextCursor: null })
      const outcomes = answer.body.results.map(({ changes, message: _, field: _f, ...rest }) => ({
        ...{ code: undefined, ...rest },
        changes: changes
          .map(({ field, ruleId, after }) => ({
            ...{ field, ruleId },
            after:
              field === 'tagIds'
                ? (after as string[]).toSorted()
                : field === 'splits'
                  ? (after as Shown['splits']).map((part) => ({
                      ...part,
                      tagIds: part.tagIds.toSorted(),
                    }))
                  : after,
          }))
          .toSorted((a, b) => (a.field < b.field ? -1 : 1)),
      }))
      expect(outcomes).toEqual(
        expected.map((one) => {
          const told = outcomeOf(one, one.leg.head.version)
          return { ...told, changes: told.changes.toSorted((a, b) => (a.field < b.field ? -1 : 1)) }
        }),
      )
      if (!dryRun) {
        expected.forEach(store)
      }
    },
    editMany: async () => {
      const chosen = books.legs.filter(({ head }) => head.kind !== 'transfer' && random.chance(0.1))
      if (chosen.length > 0) {
        const note = random.pick(['many', null])
        const json = { ids: chosen.map(({ id }) => id), changes: { note } }
        await ok(updateTransactions, { as: me, json })
        for (const { head } of chosen) {
          head.version += head.note === note ? 0 : 1
          head.note = note
        }
      }
    },
  }
  return { steps, listed }
}

const OFTEN: Record<string, number> = {
  ...{ book: 10, bookMany: 6, bookTransfer: 3, importFile: 3, edit: 8, editMany: 1, drop: 6 },
  ...{ newRule: 6, changeRule: 7, dropRule: 2, bringRuleBack: 2, orderRules: 2 },
  ...{ archive: 4, merge: 1, dropLabel: 1, bringLabelBack: 3, usual: 1, runOnRows: 12 },
}

it(`rules do what their description says (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const { me, books } = await newScene()
  const { steps, listed } = stepsOf(me, books, random)
  const names = Object.entries(OFTEN).flatMap(([name, often]) =>
    Array.from({ length: often }, () => name),
  )
  for (let step = 0; step < STEPS; step++) {
    const isFull = books.legs.length > MOST_LEGS
    const name = step < 4 ? 'newRule' : step < 8 ? 'bookMany' : isFull ? 'drop' : random.pick(names)
    if (books.rules.length === 0 && ['changeRule', 'dropRule'].includes(name)) {
      continue
    }
    const where = `step ${step}: ${name}`
    await steps[name]?.()
    const [transactions, { rules }] = [await listed(), await ok(listRules, { as: me })]
    const expected = new Map(books.legs.map((leg) => [leg.id, shownOf(leg)]))
    expect(transactions, where).toHaveLength(expected.size)
    for (const one of transactions) {
      expect(pickShown(one as Shown), where).toEqual(expected.get(one.id))
    }
    expect(
      rules.map(({ createdAt: _, updatedAt: _u, broken, ...rule }) => ({
        ...{ ...rule, broken: broken.toSorted() },
      })),
      where,
    ).toEqual(
      books.rules.map((rule, at) => ({ ...rule, order: at + 1, broken: brokenIn(books, rule) })),
    )
  }
  expect(await differencesOf(me)).toEqual([])
})
