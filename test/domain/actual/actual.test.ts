import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOfActual } from '../../../src/domain/actual/actual.ts'
import { SqliteFile } from '../../../src/domain/actual/sqlite.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { ynab } from '../../../src/domain/ynab/ynab.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { readFile, triesTooManyRows } from '../bank-files/reading.ts'
import { budget, databaseOf } from './actual.fixtures.ts'

const rowsOf = (bytes: Uint8Array, table = 't') =>
  [...new SqliteFile(bytes).rows(table)].filter((row) => row !== undefined)
const refusal = (code: string) => expect.objectContaining({ code: `imports.${code}` })
const copied = (bytes: Uint8Array, change: (view: DataView, bytes: Uint8Array) => void) => {
  const copy = bytes.slice()
  change(new DataView(copy.buffer), copy)
  return copy
}

describe('the tables of a database', () => {
  test.each([
    'PRAGMA page_size = 512',
    'PRAGMA page_size = 65536',
    "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA encoding = 'UTF-16be'",
  ])('are read as SQLite reads them: %s', (pragma) => {
    const long = 'ä€😀'.repeat(3_000)
    const numbers = [0, 1, -1, 127, -128, 32_767, -8_388_608, 2_147_483_647, -140_737_488_355_328]
    const bytes = databaseOf(
      `CREATE TABLE "t" ( "id" INTEGER, a TEXT DEFAULT (lower('A, (b)')), \`c d\` REAL, [e] BLOB NOT NULL,
         PRIMARY KEY (a, "id"), CHECK ("id" < 99999));
       WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
       INSERT INTO t (id, a, "c d", e) SELECT x, 'row ' || x, x / 2.0 + 0.25, x'00ff' FROM n;
       UPDATE t SET a = '${long}' WHERE id IN (7, 2000);
       ALTER TABLE t ADD COLUMN late INTEGER DEFAULT 1;
       CREATE TABLE numbers (n INTEGER, big INTEGER);
       INSERT INTO numbers (n, big) VALUES ${numbers.map((one) => `(${one}, 9007199254740991)`).join()}; `,
      pragma,
    )
    const rows = rowsOf(bytes)
    expect(rows).toHaveLength(3_000)
    expect(rows[2]).toEqual({ id: 3, a: 'row 3', 'c d': 1.75, e: null, late: null })
    expect([rows[6]?.['a'], rows[1999]?.['a']]).toEqual([long, long])
    expect(rowsOf(bytes, 'numbers').map(({ n }) => n)).toEqual(numbers)
    expect(rowsOf(bytes, 'numbers')[0]?.['big']).toBe(9_007_199_254_740_991)
    expect(rowsOf(bytes, 'nothing')).toEqual([])
  })

  const SMALL = databaseOf(
    'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)',
    'PRAGMA page_size = 512',
  )
  const LARGE = databaseOf(
    `CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('${'x'.repeat(5_000)}');
     WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300) INSERT INTO t SELECT x FROM n;`,
    'PRAGMA page_size = 512',
  )
  const last = 512

  test.each<[string, Uint8Array, string]>([
    ['other bytes', new Uint8Array(200), 'malformed'],
    ['a few bytes', SMALL.subarray(0, 50), 'malformed'],
    ['a page size that is none', copied(SMALL, (view) => view.setUint16(16, 513)), 'malformed'],
    ['pages that are all reserved', copied(SMALL, (view) => view.setUint8(20, 255)), 'malformed'],
    ['less than it says', SMALL.subarray(0, 600), 'truncated'],
    ['a page of another kind', copied(SMALL, (view) => view.setUint8(last, 2)), 'malformed'],
    ['too many cells', copied(SMALL, (view) => view.setUint16(last + 3, 999)), 'malformed'],
    ['a cell outside', copied(SMALL, (view) => view.setUint16(last + 8, 511)), 'malformed'],
    [
      'a row that leaves its page',
      copied(SMALL, (view) => view.setUint16(last + 8, 510)),
      'malformed',
    ],
    [
      'a row that is too long',
      copied(SMALL, (view) => view.setUint32(last + view.getUint16(last + 8), 0xffffff7f)),
      'malformed',
    ],
    [
      'a row of a length with nine bytes',
      copied(SMALL, (view, all) => {
        const cell = last + view.getUint16(last + 8)
        all.fill(0xff, cell - 9, cell)
        view.setUint16(last + 8, cell - 9 - last)
      }),
      'malformed',
    ],
    [
      'a value that leaves its row',
      copied(SMALL, (view) => view.setUint8(last + view.getUint16(last + 8) + 3, 6)),
      'malformed',
    ],
    ['a tree that goes round', copied(LARGE, (view) => view.setUint32(last + 8, 2)), 'malformed'],
    [
      'a page beyond the end',
      copied(LARGE, (view) => view.setUint32(last + 8, 9_999)),
      'malformed',
    ],
    ['a child outside', copied(LARGE, (view) => view.setUint16(last + 12, 510)), 'malformed'],
  ])('%s is refused', (_, bytes, code) => {
    expect(() => rowsOf(bytes)).toThrow(refusal(code))
  })

  test('rows of any length are read, however much of them is on their page', () => {
    const bytes = databaseOf(
      `CREATE TABLE t (a TEXT); WITH RECURSIVE n(x) AS (SELECT 440 UNION ALL SELECT x + 1 FROM n WHERE x < 1600)
       INSERT INTO t SELECT substr(replace(hex(zeroblob(800)), '0', 'x'), 1, x) FROM n;`,
      'PRAGMA page_size = 512',
    )
    const lengths = rowsOf(bytes).map(({ a }) => String(a).length)
    expect(lengths).toEqual(Array.from({ length: 1_161 }, (_, at) => at + 440))
  })

  test('an encoding that is none is read as UTF-8', () => {
    expect(rowsOf(copied(SMALL, (view) => view.setUint32(56, 9)))).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('rows that share what they go on with are bounded', () => {
    const many = databaseOf(
      `CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('${'x'.repeat(900_000)}')`,
      'PRAGMA page_size = 65536',
    )
    const overlapping = copied(many, (view) => {
      const page = 65_536
      const cell = view.getUint16(page + 8)
      view.setUint16(page + 3, 1_000)
      for (let at = 0; at < 1_000; at += 1) {
        view.setUint16(page + 8 + 2 * at, cell)
      }
    })
    expect(() => rowsOf(overlapping)).toThrow(refusal('malformed'))
  })

  test('are read or refused, whatever is broken', () => {
    const change = fc.record({ at: fc.nat({ max: LARGE.length - 1 }), byte: fc.nat({ max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(), (changes, cut) => {
        const bytes = copied(LARGE, (_, all) => changes.forEach(({ at, byte }) => (all[at] = byte)))
        try {
          rowsOf(bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: rounds(150, 5_000), seed: SEED },
    )
  })
})

describe('a budget of Actual', () => {
  test('is a plan: payees and categories that were merged, splits, transfers', () => {
    const { accounts, rows } = readFile(ynab, [...planOfActual(budget())].join(''))
    expect(accounts.map(({ key, name }) => [key, name])).toEqual([
      ...[
        ['A', 'Checking'],
        ['S', 'Savings'],
        ['X', 'Gone'],
      ],
    ])
    expect(
      rows.map(({ account, date, amount, ignored }) => [account, date, amount, ignored]),
    ).toEqual([
      ['A', '2026-03-14', '-12.5', undefined],
      ['A', '2026-03-15', '-50', undefined],
      ['S', '2026-03-15', '30', undefined],
      ['A', '2026-03-16', '-0.01', 'deleted'],
      ['A', '2026-03-17', undefined, undefined],
    ])
    expect(rows[0]).toMatchObject({
      ...{ payeeRaw: 'Shop', description: 'Milk', category: ['Home', 'Food'], status: 'uncleared' },
    })
    expect(rows[1]?.parts).toMatchObject([
      { amount: '-20', category: ['Home', 'Food'] },
      { amount: '-30', transfer: 'S' },
    ])
    expect(rows[2]?.transfer).toEqual({ account: 'A', pair: rows[1]?.parts[1]?.pair })
    expect(rows[4]?.errors).toMatchObject([{ code: 'amountMissing' }])
  })

  test('is read in small parts, even where nothing is found', () => {
    const bytes = databaseOf(`CREATE TABLE payee_mapping (id, targetId);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
        INSERT INTO payee_mapping SELECT x, x FROM n;`)
    const pieces = [...planOfActual(bytes)]
    expect(pieces.filter((piece) => piece === '').length).toBeGreaterThan(5000)
    expect(JSON.parse(pieces.join(''))).toMatchObject({ plan: { payees: [], transactions: [] } })
  })

  test.runIf(triesTooManyRows('actual'))('has at most as many rows as a file may have', () => {
    // Of one column: what else a row has does not matter.
    const bytes = databaseOf(`CREATE TABLE transactions (id);
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200001)
        INSERT INTO transactions SELECT x FROM n;`)
    const read = () => {
      for (const piece of planOfActual(bytes)) {
        void piece
      }
    }
    expect(read).toThrow(refusal('tooManyRows'))
  })
})
