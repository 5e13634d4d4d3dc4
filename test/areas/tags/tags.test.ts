import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  createTag,
  deleteTag,
  getTag,
  listTags,
  mergeTag,
  updateTag,
} from '../../../src/areas/money/tags/tags.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, change, refusal, tripsOf } from '../transactions/booking.ts'

let serial = 0

const newTag = (as: Principal, name = `Tag ${++serial}`) => ok(createTag, { as, json: { name } })

const merge = (as: Principal, id: string, tagId: string) =>
  call(mergeTag, { as, id, json: { tagId } })

const remove = (as: Principal, id: string, headers = {}) => call(deleteTag, { as, id, headers })

describe('a tag', () => {
  it('is created, shown, listed and changed', async () => {
    const me = await newUser()
    const json = { name: ' Ireland ', color: '#AABBCC', archived: true }
    const created = await call(createTag, { as: me, json })
    expect([created.status, tripsOf(created)]).toEqual([201, 1])
    expect(created.body).toMatchObject({
      name: 'Ireland',
      color: '#aabbcc',
      archived: true,
      transactionCount: 0,
      version: 1,
    })
    const { id } = created.body
    expect(await ok(getTag, { as: me, id })).toEqual(created.body)
    const listed = await call(listTags, { as: me })
    expect(listed.body).toEqual({ tags: [created.body], count: 1, nextCursor: null })
    expect(tripsOf(listed)).toBe(1)
    expect((await ok(listTags, { as: me, query: { archived: 'false' } })).count).toBe(0)
    const changed = await ok(updateTag, { as: me, id, json: { color: null, archived: false } })
    expect(changed).toMatchObject({ name: 'Ireland', color: null, archived: false, version: 2 })
    expect(await ok(getTag, { as: me, id })).toEqual(changed)
  })

  it('has a name of its own, apart from case and width', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await newTag(me, 'Café')
    const second = await newTag(me)
    await newTag(other, 'Café')
    for (const name of ['CAFÉ', 'Cafe\u0301', 'Ｃafé']) {
      const created = await call(createTag, { as: me, json: { name } })
      expect(refusal(created)).toEqual([409, 'tags.nameTaken', 'name'])
      const renamed = await call(updateTag, { as: me, id: second.id, json: { name } })
      expect(refusal(renamed)).toEqual([409, 'tags.nameTaken', 'name'])
    }
  })

  it('of another user is not there', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await newTag(other)
    const mine = await newTag(me)
    for (const answer of [
      await call(getTag, { as: me, id }),
      await call(updateTag, { as: me, id, json: { name: 'x' } }),
      await remove(me, id),
      await merge(me, id, mine.id),
    ]) {
      expect(refusal(answer)).toEqual([404, 'tags.notFound'])
    }
    expect(refusal(await merge(me, mine.id, id))).toEqual([400, 'tags.unknownTag', 'tagId'])
    expect((await ok(listTags, { as: me })).count).toBe(1)
  })

  it('is changed by nobody who read another version', async () => {
    const me = await newUser()
    const { id } = await newTag(me)
    const edit = () => ok(updateTag, { as: me, id, json: { color: '#112233' } })
    const service = serviceWith({ meanwhile: edit })
    const raced = await service.call(updateTag, { as: me, id, json: { name: 'x' } })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
    const headers = { 'If-Match': '"1-x"' }
    const late = await call(updateTag, { as: me, id, json: { name: 'x' }, headers })
    expect(refusal(late)).toEqual([412, 'request.stale'])
    expect(refusal(await remove(me, id, headers))).toEqual([412, 'request.stale'])
  })

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a long name', { name: 'x'.repeat(101) }, 'name'],
    ['a colour by name', { name: 'x', color: 'red' }, 'color'],
    ['an unknown field', { name: 'x', order: 1 }, 'order'],
  ])('is refused with %s', async (_, json, field) => {
    const me = await newUser()
    const refused = await call(createTag, { as: me, raw: { body: JSON.stringify(json) } })
    expect(refusal(refused)).toEqual([400, 'request.invalid', field])
  })

  it('is listed page by page, each once', async () => {
    const me = await newUser()
    const ids = [await newTag(me), await newTag(me), await newTag(me)].map(({ id }) => id)
    const first = await ok(listTags, { as: me, query: { limit: 2 } })
    const query = { limit: 2, cursor: first.nextCursor ?? '' }
    const second = await ok(listTags, { as: me, query })
    const seen = [...first.tags, ...second.tags].map(({ id }) => id)
    expect([seen, second.nextCursor]).toEqual([ids.toSorted(), null])
  })
})

describe('on transactions', () => {
  it('counts those that have it, and comes off them when it is deleted', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [trip, food] = [await newTag(me), await newTag(me)]
    const whole = await book(me, account, { tagIds: [trip.id, food.id] })
    const split = await book(me, account, {
      splits: [
        { amount: '2.30', tagIds: [trip.id] },
        { amount: '10', tagIds: [trip.id] },
      ],
    })
    expect((await ok(getTag, { as: me, id: trip.id })).transactionCount).toBe(2)
    const gone = await remove(me, trip.id)
    expect([gone.status, tripsOf(gone)]).toEqual([200, 2])
    const after = await ok(getTransaction, { as: me, id: whole.id })
    expect(after).toEqual({ ...whole, tagIds: [food.id], version: 2, updatedAt: after.updatedAt })
    const parts = (await ok(getTransaction, { as: me, id: split.id })).splits
    expect(parts.map(({ tagIds }) => tagIds)).toEqual([[], []])
    const logged = await rows<{ id: string; content: string }>(
      `SELECT l.resource_id AS id, l.content FROM log_entries d
        JOIN log_entries l ON l.commit_number = d.commit_number
        WHERE d.resource_id = ? AND d.type = 'tag.deleted' ORDER BY l.number`,
      trip.id,
    )
    const lines = split.splits.map(({ id }) => Number(id.split('-')[1]))
    const withTags = (tagIds: string[]) => ({ splits: lines.map((line) => ({ line, tagIds })) })
    expect(Object.fromEntries(logged.map(({ id, content }) => [id, JSON.parse(content)]))).toEqual({
      [trip.id]: { before: expect.objectContaining({ name: trip.name }) },
      [whole.id]: { before: { tagIds: [trip.id] }, after: { tagIds: [] } },
      [split.id]: { before: withTags([trip.id]), after: withTags([]) },
    })
  })

  it('takes the place of one that is merged into it, once where both were', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [kept, old] = [await newTag(me), await newTag(me)]
    const both = await book(me, account, { tagIds: [kept.id, old.id] })
    const one = await book(me, account, { tagIds: [old.id] })
    const merged = await merge(me, kept.id, old.id)
    expect([merged.status, tripsOf(merged)]).toEqual([200, 2])
    for (const { id } of [both, one]) {
      expect(await ok(getTransaction, { as: me, id })).toMatchObject({
        tagIds: [kept.id],
        version: 2,
      })
    }
    expect((await ok(getTag, { as: me, id: kept.id })).transactionCount).toBe(2)
    expect(refusal(await merge(me, kept.id, kept.id))).toEqual([
      400,
      'tags.mergedWithItself',
      'tagId',
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it.each(['a booking with it', 'a change of it', 'the end of the target'] as const)(
    'is not merged after %s in between',
    async (what) => {
      const me = await newUser()
      const account = await newAccount(me)
      const [kept, old] = [await newTag(me), await newTag(me)]
      const doing = {
        'a booking with it': () => book(me, account, { tagIds: [old.id] }),
        'a change of it': () => ok(updateTag, { as: me, id: old.id, json: { color: '#112233' } }),
        'the end of the target': () => remove(me, kept.id),
      }
      const raced = await serviceWith({ meanwhile: doing[what] }).call(mergeTag, {
        as: me,
        id: kept.id,
        json: { tagId: old.id },
      })
      const gone = [404, 'request.notFound']
      expect(refusal(raced)).toEqual(
        what === 'the end of the target' ? gone : [409, 'request.conflict'],
      )
    },
  )

  it('leaves nothing dangling after 100 merges, deletions and edits at once', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const tags = await Promise.all(Array.from({ length: 10 }, () => newTag(me)))
    const idAt = (at: number) => tags[at % 10]?.id ?? ''
    const booked = await Promise.all(
      tags.map(({ id }, at) => book(me, account, { tagIds: [id, idAt(at + 1)] })),
    )
    const writes: ((at: number) => Promise<{ status: number }>)[] = [
      (at) => merge(me, idAt(at), idAt(at * 3 + 1)),
      (at) => change(me, booked[at % 10] ?? { id: '' }, { tagIds: [idAt(at), idAt(at * 7)] }),
      (at) => (at % 20 === 2 ? remove(me, idAt(at)) : merge(me, idAt(at + 3), idAt(at))),
    ]
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => writes[at % 3]?.(at) ?? Promise.reject(new Error())),
    )
    expect(answers.filter(({ status }) => ![200, 400, 404, 409].includes(status))).toEqual([])
    const dangling = await rows(
      'SELECT 1 FROM transaction_tags WHERE tag_id NOT IN (SELECT id FROM tags)',
    )
    expect(dangling).toEqual([])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is neither counted nor changed by a token where it does not see the account', async () => {
    const me = await newUser()
    const [seen, unseen] = [await newAccount(me), await newAccount(me)]
    const tag = await newTag(me)
    await book(me, seen, { tagIds: [tag.id] })
    await book(me, unseen, { tagIds: [tag.id] })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: { name: 'x', scopes: ['tags.read', 'tags.write'], accountIds: [seen.id] },
    })
    const restricted = { accessToken: token }
    expect((await ok(getTag, { as: restricted, id: tag.id })).transactionCount).toBe(1)
    expect(refusal(await remove(restricted, tag.id))).toEqual([403, 'auth.accountHidden'])
    expect((await ok(getTag, { as: me, id: tag.id })).transactionCount).toBe(2)
    const trashed = await newTag(me)
    const { id } = await book(me, unseen, { tagIds: [trashed.id] })
    await ok(deleteTransaction, { as: me, id })
    expect(refusal(await remove(restricted, trashed.id))).toEqual([403, 'auth.accountHidden'])
  })
})
