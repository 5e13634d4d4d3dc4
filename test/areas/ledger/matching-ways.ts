import {
  matchSplit,
  unmatchSplit,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  convertToTransfer,
  createTransfer,
  matchTransfer,
  revertToSingle,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { book } from '../transactions/booking.ts'
import { type Books, old, transferOf, type Way } from './way.ts'

// The ways in which rows become transfers or the other sides of parts, and come back.

/** An expense and an income that may be one transfer. */
async function halves({ me, one, two }: Books) {
  const left = await book(me, one, { ...old, amount: '50' })
  const arrived = await book(me, two, { ...old, kind: 'income', amount: '50' })
  return { fromTransactionId: left.id, toTransactionId: arrived.id }
}

/** A part, and what the bank of another account says of it. */
async function halvesOfPart({ me, one, two }: Books) {
  const splits = [{ amount: '20' }, { amount: '30' }]
  const whole = await book(me, one, { ...old, amount: '50', splits })
  const row = await book(me, two, { ...old, kind: 'income', amount: '30' })
  return {
    path: { id: whole.id, lineId: whole.splits[1]?.id ?? '' },
    json: { transactionId: row.id },
  }
}

export const matchingWays: [name: string, movements: string[], way: Way][] = [
  [
    'two rows that are matched',
    ['matched', 'matched', 'booked'],
    async (books) => {
      const json = await halves(books)
      return async () => call(matchTransfer, { as: books.me, json })
    },
  ],
  [
    'a transfer that was matched, parted',
    ['unmatched', 'restored', 'restored'],
    async (books) => {
      const { id } = await ok(matchTransfer, { as: books.me, json: await halves(books) })
      return async () => call(unmatchTransfer, { as: books.me, id })
    },
  ],
  [
    'a transfer that never was two rows, parted',
    ['unmatched', 'booked', 'booked'],
    async (books) => {
      const { id } = await ok(createTransfer, { as: books.me, json: transferOf(books) })
      return async () => call(unmatchTransfer, { as: books.me, id })
    },
  ],
  [
    'an expense that becomes a transfer',
    ['matched', 'booked'],
    async ({ me, one, two }) => {
      const { id } = await book(me, one, old)
      return async () => call(convertToTransfer, { as: me, id, json: { accountId: two.id } })
    },
  ],
  [
    'a transfer that becomes an expense again',
    ['unmatched', 'restored'],
    async ({ me, one, two }) => {
      const { id } = await book(me, one, old)
      await ok(convertToTransfer, { as: me, id, json: { accountId: two.id } })
      return async () => call(revertToSingle, { as: me, id })
    },
  ],
  [
    'a row that is matched into a part',
    ['matched', 'amended'],
    async (books) => {
      const sent = await halvesOfPart(books)
      return async () => call(matchSplit, { as: books.me, ...sent })
    },
  ],
  [
    'a part that is unmatched',
    ['amended', 'restored'],
    async (books) => {
      const { path, json } = await halvesOfPart(books)
      await ok(matchSplit, { as: books.me, path, json })
      return async () => call(unmatchSplit, { as: books.me, path })
    },
  ],
]
