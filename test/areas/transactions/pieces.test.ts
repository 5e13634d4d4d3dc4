import { expect, it } from 'vitest'
import { ledgerCount } from '../../../src/ledger/search/filters.queries.ts'
import {
  asOnePage,
  firstRowsOf,
  ledgerRows,
  SORTS,
} from '../../../src/ledger/search/pages.queries.ts'
import { inPieces } from '../../../src/ledger/search/pieces.queries.ts'
import type { LedgerFilter } from '../../../src/ledger/search/search.rules.ts'
import { read } from '../../../src/platform/database/database.ts'
import { contextOf } from '../../support/context.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from './booking.ts'

it('finds in pieces of the lines what it finds in all of them, in each order', async () => {
  const random = randomFrom(SEED)
  const me = await newUser()
  const accounts = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  for (let at = 0; at < 30; at++) {
    await book(me, random.pick(accounts), {
      ...{
        date: `2026-0${random.whole(1, 9)}-${random.pick(['01', '15', '28'])}`,
        amount: String(random.whole(1, 12)),
      },
      description: random.pick(['Rent', 'Tea']),
    })
  }
  const ctx = await contextOf(me, 'transactions.read')
  const filter: LedgerFilter = {
    condition: { field: 'description', op: 'word', value: 'rent' },
  }
  for (const lines of [1, 4, 10, 40]) {
    const pieces = Array.from({ length: 4 }, (_, at) => ({
      ...filter,
      piece: { skipped: at * lines, lines, isLast: at === 3 },
    }))
    const counts = await read(ctx, ...pieces.map((piece) => ledgerCount(ctx, piece)))
    const [[all]] = await read(ctx, ledgerCount(ctx, filter))
    const count = all?.count ?? 0
    expect(counts.flat().reduce((sum, one) => sum + one.count, 0)).toBe(count)
    for (const sort of SORTS) {
      const page = { limit: 5, after: undefined }
      const [rows] = await read(ctx, ledgerRows(ctx, filter, page, sort))
      const found = await read(ctx, ...pieces.map((piece) => firstRowsOf(ctx, piece, 5, sort)))
      const joined = asOnePage(found, sort)
      const idsOf = (some: { transactionId: string }[]) => some.map((row) => row.transactionId)
      expect(idsOf(joined.rows.slice(0, 6)), `${sort} ${lines}`).toEqual(idsOf(rows))
      expect(joined.count).toBe(count)
    }
  }
})

it('cuts what asks much of each line, by how much that is', () => {
  const word = { field: 'text', op: 'word', value: 'rent' } as const
  const piecesFor = (condition: LedgerFilter['condition'], isSorted = false) =>
    inPieces({ condition }, isSorted).map(({ piece }) => piece?.skipped)
  expect(piecesFor({ field: 'status', op: 'is', value: 'cleared' })).toEqual([undefined])
  expect(piecesFor({ field: 'text', op: 'contains', value: 'rent' })).toEqual([undefined])
  expect(piecesFor({ field: 'text', op: 'contains', value: 'rent' }, true)).toEqual([0, 50_000])
  expect(piecesFor(word)).toEqual([0, 50_000])
  expect(piecesFor({ any: Array.from({ length: 20 }, () => word) })).toHaveLength(11)
})
