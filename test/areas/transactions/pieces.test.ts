import { expect, it } from 'vitest'
import { ledgerCount } from '../../../src/ledger/search/filters.queries.ts'
import {
  countedRowsOf,
  inPlace,
  ledgerRows,
  positionOf,
  rowsOf,
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
  const [all] = await read(ctx, ledgerRows(ctx, filter, { limit: 40, after: undefined }))
  const [count] = await read(ctx, ledgerCount(ctx, filter))
  expect(all).toHaveLength(count)
  for (const lines of [1, 4, 10, 40]) {
    for (const sort of SORTS) {
      const [sorted] = await read(
        ctx,
        ledgerRows(ctx, filter, { limit: 40, after: undefined }, sort),
      )
      for (const [at, row] of [undefined, ...sorted.slice(0, -1)].entries()) {
        const page = { limit: 5, after: row && positionOf(row, sort) }
        const direction = sort === 'date' ? 'oldestFirst' : 'newestFirst'
        const start = sort.endsWith('date') ? row?.date : undefined
        const pieces = Array.from({ length: 4 }, (_, place) => ({
          ...filter,
          piece: { direction, start, skipped: place * lines, lines, isLast: place === 3 } as const,
        }))
        const found = await read(ctx, ...pieces.map((piece) => rowsOf(ctx, piece, page, sort)))
        const said = `${sort} ${lines} ${at}`
        const idsOf = (some: { transactionId: string }[]) => some.map((one) => one.transactionId)
        expect(idsOf(inPlace(found, sort).slice(0, 6)), said).toEqual(
          idsOf(sorted.slice(at, at + 6)),
        )
        if (!row) {
          const counted = await read(
            ctx,
            ...pieces.map((piece) => countedRowsOf(ctx, piece, page, sort)),
          )
          expect(idsOf(inPlace(counted, sort).slice(0, 6)), said).toEqual(idsOf(sorted.slice(0, 6)))
          expect(counted.reduce((sum, [first]) => sum + (first?.matches ?? 0), 0)).toBe(count)
        }
      }
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
