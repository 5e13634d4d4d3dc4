import { expect, it } from 'vitest'
import { wantedOf } from '../../../src/domain/imports/wanting.ts'
import { suggestPending, weighing } from '../../../src/domain/imports/matching.ts'
import { compareWithStored } from '../../../src/domain/imports/reading.ts'
import { findTransfers } from '../../../src/domain/imports/transfers.ts'
import type { OpenRow } from '../../../src/domain/imports/open-rows.ts'
import { settleRow } from '../../../src/domain/imports/rows.ts'
import type { Steps } from '../../../src/domain/steps.ts'
import { ynab } from '../../../src/domain/ynab/ynab.ts'

// A file with many rows is compared in many steps, so that others get their turn in between. Nothing here looks at a clock.

const ROWS = 20_000

/** The number of pauses that whoever runs the steps can make. */
function countSteps(steps: Steps<unknown>): number {
  let count = 0
  while (!steps.next().done) {
    count += 1
  }
  return count
}

/** Amounts that go out and come in, most of them alone. */
const rows = Array.from({ length: ROWS }, (_, at): OpenRow => ({
  ...{ at, accountId: at % 2 === 0 ? 'acc_1' : 'acc_2', currency: 'EUR', date: '2026-03-01' },
  ...{ day: 20_513, minor: at % 3 === 0 ? at : -at, text: `shop ${at}`, pending: false },
  isUncategorised: true,
}))

it.each([
  ['what is looked for', () => wantedOf({ rows, alike: [] }, [])],
  ['transfers', () => findTransfers(rows, [], [])],
  [
    'pending rows',
    () =>
      suggestPending(
        rows,
        [],
        weighing([], () => false),
      ),
  ],
])('%s: every thousand rows of a file leave room for others', (_, work) => {
  expect(countSteps(work())).toBeGreaterThanOrEqual(ROWS / 1000)
})

it('a whole comparison has a pause for every thousand rows in each of its steps', () => {
  const comparison = compareWithStored({
    hash: (texts) => [...texts],
    ...{ untrusted: [], matching: 'usual', isLocked: () => false },
  })
  const settled = Array.from({ length: ROWS }, (_, at) =>
    settleRow(
      {
        ...{ line: at + 1, account: '', date: '2026-03-01', amount: `-${at + 1}.00` },
        ...{ text: `shop ${at}`, raw: {}, metadata: {}, parts: [], errors: [], pending: false },
      } as unknown as Parameters<typeof settleRow>[0],
      at,
      { id: 'acc_1', currency: 'EUR' },
      'csv',
    ),
  )
  comparison.decide(comparison.identify(settled), { identities: [], externalIds: [] })
  const thousands = ROWS / 1000
  expect(countSteps(comparison.wanted([]))).toBeGreaterThanOrEqual(thousands)
  const found = { candidates: [], halves: [], identities: [], accounts: [] }
  expect(countSteps(comparison.compare(found))).toBeGreaterThanOrEqual(5 * thousands)
})

it('a plan of YNAB gives its rows in parts', () => {
  const transactions = Array.from({ length: 2600 }, (_, at) => ({
    ...{ id: `t${at}`, amount: -1000, account_id: 'a', date: '2026-03-01', cleared: 'cleared' },
  }))
  const accounts = [{ id: 'a', name: 'A', type: 'checking' }]
  const text = JSON.stringify({ plan: { accounts, transactions } })
  const reader = ynab.read({ format: 'ynab', today: '2026-03-02' })
  reader.push(text)
  const parts: number[] = []
  for (let items = reader.finish?.(); items; items = reader.finish?.()) {
    parts.push(items.filter(({ is }) => is === 'row').length)
  }
  parts.push(reader.end().filter(({ is }) => is === 'row').length)
  expect(parts).toEqual([500, 500, 500, 500, 500, 100])
  const whole = ynab.read({ format: 'ynab', today: '2026-03-02' })
  whole.push(text)
  expect(whole.end().filter(({ is }) => is === 'row')).toHaveLength(2600)
})

it('the pairs of one amount leave room for others, however many are possible', () => {
  const count = 1000
  const alike = Array.from({ length: 2 * count }, (_, at): OpenRow => ({
    ...(rows[0] as OpenRow),
    ...{ at, accountId: at % 2 === 0 ? 'acc_1' : 'acc_2', minor: at % 2 === 0 ? -100 : 100 },
    ...{ day: Math.floor(at / 6), date: '2026-03-01', text: `shop ${at}` },
  }))
  const alone = countSteps(findTransfers(alike.slice(0, 2), [], []))
  // Each row has some eighty rows of the other account within reach.
  const possible = 80 * count
  expect(countSteps(findTransfers(alike, [], [])) - alone).toBeGreaterThanOrEqual(possible / 1000)
})
