import { expect, it } from 'vitest'
import { dismissDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { dismissTransferSuggestion } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { distinctPairsAmong } from '../../../src/areas/money/reconciliations/reconciliations.public.ts'
import { read } from '../../../src/platform/database/database.ts'
import { call, ok, rows } from '../../support/api.ts'
import { overheardDatabase, planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, refusal } from './booking.ts'

const MANY = [409, 'ledger.tooManyDismissed', 'transactionIds']

type Thing = { id: string }

const dismiss = (as: TestUser, ...some: Thing[]) =>
  call(dismissDuplicate, { as, json: { transactionIds: some.map(({ id }) => id) } })

it('a transaction is in 100 dismissed pairs at most, of both kinds and whichever of the two it is', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const booked: Thing[] = []
  while (booked.length < 103) {
    booked.push(await book(me, account))
  }
  const at = (place: number) => booked[place] ?? { id: '' }
  const middle = at(50)
  // 99 of them: the first is in no pair, and neither are the last two.
  for (const { id } of booked.slice(1, 101)) {
    await rows(
      `INSERT INTO distinct_pairs (kind, one_id, other_id, owner_id, created_at)
        SELECT ?4, min(?1, ?2), max(?1, ?2), ?3, 0 WHERE ?1 <> ?2`,
      ...[id, middle.id, me.id, id < middle.id ? 'duplicate' : 'transfer'],
    )
  }
  expect((await dismiss(me, at(0), middle)).status).toBe(200)
  expect(refusal(await dismiss(me, at(101), middle))).toEqual(MANY)
  expect(refusal(await dismiss(me, middle, at(101)))).toEqual(MANY)
  const asTransfer = { transactionIds: [at(102).id, middle.id] }
  expect(refusal(await call(dismissTransferSuggestion, { as: me, json: asTransfer }))).toEqual(MANY)
  // What is dismissed already stays so, and others have room.
  expect((await dismiss(me, at(0), middle)).status).toBe(200)
  expect((await dismiss(me, at(101), at(102))).status).toBe(200)
  const kept = await rows('SELECT 1 FROM distinct_pairs WHERE ?1 IN (one_id, other_id)', middle.id)
  expect(kept).toHaveLength(100)
})

it('pairs are looked up among rows that are shown, and not at all where these are no two', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const [one, two, other] = [
    await book(me, account),
    await book(me, account),
    await book(me, account),
  ]
  await ok(dismissDuplicate, { as: me, json: { transactionIds: [one.id, two.id] } })
  await ok(dismissDuplicate, { as: me, json: { transactionIds: [one.id, other.id] } })
  const { database, heard } = overheardDatabase()
  const ctx = contextWith({ database: database.withSession('first-primary') })
  expect(await read(ctx, distinctPairsAmong([one.id]))).toEqual([[]])
  expect(heard.size).toBe(0)
  const [pairs] = await read(ctx, distinctPairsAmong([one.id, two.id, someId('txn')]))
  expect(pairs.map(({ oneId, otherId }) => [oneId, otherId])).toEqual([[one.id, two.id].toSorted()])
  const [sql = '', { values = [] } = {}] = [...heard].at(0) ?? []
  expect((await planOf(sql, values)).join()).toContain('SEARCH d USING PRIMARY KEY (one_id=?)')
})
