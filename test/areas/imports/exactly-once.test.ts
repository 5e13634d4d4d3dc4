import { describe, expect, it } from 'vitest'
import { commitImportJob, revertImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import { commitImport, revertImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { bookedOnceOf, many } from './exactly-once.fixtures.ts'
import { settled, upload, uploaded } from './importing.ts'

describe('ten uploads of one file at the same moment', () => {
  it('are one import, and nine refusals that name it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const file = many(20)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => upload(me, file, { accountId: account.id })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    const first = answers.find(({ status }) => status === 201)?.body as unknown as { id: string }
    for (const refused of answers.filter(({ status }) => status === 409)) {
      expect(refused.error.code).toBe('imports.sameFile')
      expect(refused.headers.get('Location')).toBe(`/import/${first.id}`)
    }
  })

  it('book each row once where they are asked for again', async () => {
    await expect(bookedOnceOf(100)).resolves.toBeUndefined()
  })
})

it('a commit that is asked for five times at once is one job', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await uploaded(me, many(40), { accountId: account.id })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call(commitImport, { as: me, id, json: {} })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 202])
  expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1)
  expect((await settled(me, id)).counts).toMatchObject({ new: 40 })
  const reverts = await Promise.all(
    Array.from({ length: 3 }, () => call(revertImport, { as: me, id, json: {} })),
  )
  expect(reverts.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
  expect(await settled(me, id)).toMatchObject({ state: 'reverted', reverted: { removed: 40 } })
})

/** Fails at a trip to the database, before it or right after it was done. */
const killedAt = (at: number, isDone: boolean) => ({
  database: databaseWith(async (trip, go) => {
    if (trip !== at) {
      return go()
    }
    await (isDone ? go() : undefined)
    throw new Error('killed')
  }).withSession('first-primary'),
})

describe('booking and taking back', () => {
  it.each([true, false])('go on where they were killed; after the trip: %s', async (isDone) => {
    const me = await newUser()
    const account = await newAccount(me)
    const rowsOf = async () =>
      (await rows('SELECT id FROM transactions WHERE owner_id = ?', me.id)).length
    const { id } = await uploaded(me, many(40), { accountId: account.id })
    await call(commitImport, { as: me, id, json: {} })
    for (let trip = 1; trip < 9; trip++) {
      await Promise.resolve(
        commitImportJob.run(contextWith(killedAt(trip, isDone)), { importId: id }, []),
      ).catch(() => undefined)
      expect([0, 40]).toContain(await rowsOf())
    }
    const done = await settled(me, id)
    expect(done).toMatchObject({ state: 'done', counts: { new: 40 } })
    expect(await rowsOf()).toBe(40)
    await ok(revertImport, { as: me, id, json: {} })
    for (let trip = 1; trip < 9; trip++) {
      await Promise.resolve(
        revertImportJob.run(contextWith(killedAt(trip, isDone)), { importId: id }, []),
      ).catch(() => undefined)
      expect([0, 40]).toContain(await rowsOf())
    }
    expect(await settled(me, id)).toMatchObject({ state: 'reverted', reverted: { removed: 40 } })
    expect(await rowsOf()).toBe(0)
    const { balance } = await ok(getAccountByID, { as: me, id: account.id })
    expect(balance).toBe('0.00')
  })
})
