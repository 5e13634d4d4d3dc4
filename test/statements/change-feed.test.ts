import { afterAll, expect, it } from 'vitest'
import { createTransactions } from '../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { follow } from '../areas/change-feed/feed.ts'
import { share } from '../areas/sharing/sharing.ts'
import { ok, rows } from '../support/api.ts'
import { samplesOf } from '../support/samples.ts'
import { newUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill } from './volume.ts'

let stopWatch = () => {}
afterAll(() => stopWatch())

it('lets no statement of a pull hold the database for long, however much is new', async () => {
  const { me } = await samplesOf()
  const ben = await newUser()
  const mine = await follow(me)
  const bens = await follow(ben)
  await fill(me.id)
  // The accounts that the log names, beside those that are booked on.
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
      INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
        created_at, updated_at)
      SELECT 'acc_' || printf('%015d', i) || '00000000000', ?, 'Named ' || i, 'named ' || i, 'checking', 'EUR', 1, 1,
        '2000-01-01', 0, 0
      FROM n WHERE TRUE ON CONFLICT DO NOTHING`,
    me.id,
  )
  const account = { id: `acc_${'0'.repeat(26)}` }
  await rows('INSERT OR IGNORE INTO account_balances (account_id) VALUES (?)', account.id)
  await share(me, account, ben)
  stopWatch = startWatch()
  const before = slowness()

  attend('all of the log, a first page')
  expect(await mine.pull(1000)).toMatchObject({ hasMore: true })
  attend('all of the log, another page')
  expect((await mine.pull(1000)).events.length).toBeGreaterThan(900)
  attend('all of the log, of one shared account')
  expect(await bens.pull(1000)).toMatchObject({ hasMore: true, fresh: [account.id] })
  await bens.pull(1000)

  const late = await follow(me)
  const ofBen = await follow(ben)
  attend('nothing new')
  expect(await late.pull()).toMatchObject({ events: [], hasMore: false })
  attend('booking')
  const items = Array.from({ length: 500 }, () => ({
    ...{ kind: 'expense' as const, accountId: account.id, date: '2026-03-01', amount: '1.00' },
  }))
  await ok(createTransactions, { as: me, json: { transactions: items } } as never)
  attend('500 new, of the owner')
  expect((await late.pull()).transactions).toHaveLength(500)
  attend('500 new, of who sees the account')
  expect((await ofBen.pull()).transactions).toHaveLength(500)

  const slower = Math.max(before, slowness())
  showLongest()
  const tooLong = longestOfEach().filter(
    ({ by, ms, most }) => by !== 'booking' && ms > most * slower,
  )
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)
