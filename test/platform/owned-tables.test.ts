import { expect, it } from 'vitest'
import { exchangeRates } from '../../drizzle/schema/currencies.ts'
import { tags } from '../../drizzle/schema/tags.ts'
import { createTag } from '../../src/areas/money/tags/tags.routes.ts'
import { commit } from '../../src/platform/database/database.ts'
import { withoutEvents } from '../../src/platform/log/events.ts'
import { mustHaveFewerRows, writesOf } from '../../src/platform/database/owned-tables.ts'
import { conflicting } from '../../src/platform/database/refusals.ts'
import type { Statement } from '../../src/platform/database/statements.ts'
import { ok, rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { newUser, type TestUser } from '../support/world.ts'

const tagWrites = writesOf(tags)

const run = (...statements: Statement[]) =>
  commit(contextWith(), { changes: [withoutEvents(statements)], result: undefined })

const tagsOf = ({ id }: TestUser) =>
  rows('SELECT id, name, color, version FROM tags WHERE owner_id = ? ORDER BY id', id)

async function tagOf(user: TestUser) {
  const { id } = await ok(createTag, { as: user, json: { name: 'Before', color: '#112233' } })
  return { id, ownerId: user.id, version: 1 }
}

it('changes the fields that are sent, and neither id nor owner', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const seen = await tagOf(me)
  const changed = { id: 'tag_other', ownerId: other.id, name: 'After', color: undefined }
  await run(...tagWrites.update(contextWith(), seen, changed))
  expect(await tagsOf(me)).toEqual([{ id: seen.id, name: 'After', color: '#112233', version: 2 }])
  expect(await tagsOf(other)).toEqual([])
})

it.each([
  ['of another version', { version: 2 }],
  ['of another owner', { ownerId: 'usr_other' }],
])('neither changes nor deletes a row %s', async (_, otherwise) => {
  const me = await newUser()
  const seen = { ...(await tagOf(me)), ...otherwise }
  const ctx = contextWith()
  for (const statements of [
    tagWrites.update(ctx, seen, { name: 'After' }),
    tagWrites.delete(seen),
  ]) {
    await expect(run(...statements)).rejects.toMatchObject({ code: 'request.conflict' })
  }
  expect(await tagsOf(me)).toMatchObject([{ name: 'Before', version: 1 }])
})

it('counts the rows of one owner for a maximum', async () => {
  const [me, other] = [await newUser(), await newUser()]
  await Promise.all([tagOf(me), tagOf(other)])
  await run(mustHaveFewerRows(tags.ownerId, me.id, 2, conflicting))
  await run(mustHaveFewerRows(exchangeRates.ownerId, me.id, 1, conflicting))
  await expect(run(mustHaveFewerRows(tags.ownerId, me.id, 1, conflicting))).rejects.toMatchObject({
    code: 'request.conflict',
  })
})
