import { expect } from 'vitest'
import {
  cancelImport,
  commitImport,
  getImport,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { commitImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { csv, settled, uploaded } from './importing.ts'

/**
 * Calls off the commit of a file once its first piece is booked.
 * @param direction 1 if the file begins with its oldest row, -1 if it ends with it
 */
export async function callOff(direction: 1 | -1): Promise<void> {
  const me = await newUser()
  const account = await newAccount(me)
  const days = Array.from({ length: 2100 }, (_, at) => {
    const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(at / 2))).toISOString().slice(0, 10)
    return `${day},SHOP ${at},-1.00`
  })
  const file = csv(direction === 1 ? days : days.toReversed())
  const { id } = await uploaded(me, file, { accountId: account.id })
  await settled(me, id)
  await ok(commitImport, { as: me, id, json: {} })
  expect((await ok(getImport, { as: me, id })).progress).toMatchObject({ step: 'booking' })
  // It is called off once the first piece is booked; whatever else is asked meanwhile waits for that, too.
  let calledOff: Promise<unknown> | undefined
  const database = databaseWith(async (_trip, run) => {
    const result = await run()
    const [row] = await rows<{ done: number }>(
      'SELECT next_chunk AS done FROM imports WHERE id = ?',
      id,
    )
    if (row?.done === 1) {
      calledOff ??= ok(cancelImport, { as: me, id })
    }
    await calledOff
    return result
  }).withSession('first-primary')
  await commitImportJob.run(contextWith({ database }), { importId: id }, [])
  const first = direction === 1 ? 2000 : 100
  expect(await ok(getImport, { as: me, id })).toMatchObject({
    ...{ state: 'cancelled', progress: null },
    counts: { rows: 2100, new: first, skipped: 2100 - first },
  })
  expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(`-${first}.00`)
  const shown = async (verdict: 'new' | 'skipped') => {
    const query = { verdict, limit: '1' }
    const { count, rows: some } = await ok(listImportRows, { as: me, id, query })
    return [count, ...some.map(({ reason, transactionId }) => [reason, transactionId !== null])]
  }
  expect([await shown('new'), await shown('skipped')]).toEqual([
    [first, [null, true]],
    [2100 - first, ['cancelled', false]],
  ])
}
