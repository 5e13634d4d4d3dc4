import { beforeAll, expect, it } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { FETCH_RATES } from '../../../src/areas/money/exchange-rates/system/system.usecases.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { completeRow, faultOfRow } from '../../../src/platform/owned-data/archived-rows.ts'
import {
  type ArchivedColumn,
  type ArchivedRow,
  type ArchivedTable,
  shapeOf,
  tableNameOf,
} from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { contextWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { committed, ofx, uploaded } from '../imports/importing.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { makeDue } from '../own-user/user-traces.fixtures.ts'
import { contentsOf } from './archives.ts'
import { newClosedBooks } from './closed-books.fixtures.ts'
import { type Files, packed, text, withManifest } from './packing.ts'
import { readAll } from './reading.ts'
import { backedUp, restored, rowsOf } from './restoring.ts'
import { DOUBTFUL, RUBBISH, spoiltJson } from './rubbish.ts'

// An archive of somebody who has everything, with one value in it that nobody stored: it is refused when the archive is verified, or
// all that reads it can.

const RESTORES = rounds(3, 600)
const SPOILT_JSON = rounds(40, 400)

let files: Files

beforeAll(async () => {
  const me = await newOwner()
  await newClosedBooks(me)
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  const taken = [{ id: 'A1', date: '2026-04-01', amount: '-3.00', name: 'Baker' }]
  const { id } = await uploaded(me, ofx(taken, { closing: '-3.00' }), { accountId: me.two })
  await committed(me, id)
  files = await contentsOf(me, (await backedUp(me)).id)
  await erase(me)
})

async function erase(user: TestUser): Promise<void> {
  await makeDue(user)
  await eraseUserJob.run(contextWith(), { userId: user.id }, [])
}

const rowsIn = (table: ArchivedTable): ArchivedRow[] =>
  text(files[`data/${tableNameOf(table)}.ndjson`])
    .split('\n')
    .filter(Boolean)
    .map((line) => completeRow(shapeOf(table), JSON.parse(line) as ArchivedRow))

const filled = () => archivedTables().filter((table) => rowsIn(table).length > 0)

const isRefused = (table: ArchivedTable, row: object) =>
  faultOfRow(shapeOf(table), row) !== undefined

/** Each table with each of its columns. */
const eachColumn = () =>
  filled().flatMap((table) => shapeOf(table).columns.map((column) => ({ table, column })))

it('has rows in every table', () => {
  const empty = archivedTables().filter((table) => rowsIn(table).length === 0)
  expect(
    empty.map(tableNameOf),
    'Add a row of each table to test/areas/own-user/owners.fixtures.ts.',
  ).toEqual([])
})

it('is intact as it is', () => {
  for (const table of filled()) {
    for (const row of rowsIn(table)) {
      const where = `Correct \`archived\` of ${tableNameOf(table)} in the x.data.ts of its area: ${JSON.stringify(row)}`
      expect(faultOfRow(shapeOf(table), row), where).toBeUndefined()
    }
  }
})

it('has no column that holds whatever it likes', () => {
  const open = eachColumn().flatMap(({ table, column: { name } }) =>
    RUBBISH.filter(
      (value) => !rowsIn(table).every((row) => isRefused(table, { ...row, [name]: value })),
    ).map((value) => `${tableNameOf(table)}.${name}: ${JSON.stringify(value).slice(0, 40)}`),
  )
  expect(open).toEqual([])
})

it('has no JSON of another shape', () => {
  const open = eachColumn()
    .filter(({ column }) => column.kind === 'json')
    .flatMap(({ table, column: { name } }) =>
      ['5', '"x".', '[5.5]', '{"x":1}', '[{}]', '[null]', 'true', '[['].flatMap((json) =>
        rowsIn(table).some((row) => !isRefused(table, { ...row, [name]: json }))
          ? [`${tableNameOf(table)}.${name}: ${json}`]
          : [],
      ),
    )
  // Free fields, and a list of nothing but headings.
  expect(open).toEqual(['transactions.metadata: {"x":1}'])
})

interface Forgery {
  table: ArchivedTable
  at: number
  row: ArchivedRow
  how: string
}

/** A row with another value in a column, of those that are not refused by themselves. */
function forge(
  random: Random,
  { table, column }: { table: ArchivedTable; column: ArchivedColumn },
) {
  const all = rowsIn(table)
  const at = random.whole(0, all.length - 1)
  const before = all[at] ?? {}
  const stored = before[column.name]
  const values =
    column.kind === 'json' && typeof stored === 'string'
      ? Array.from({ length: SPOILT_JSON }, () => spoiltJson(stored, random))
      : [...DOUBTFUL, ...all.map((row) => row[column.name])]
  return values.flatMap((value): Forgery[] => {
    const row = { ...before, [column.name]: value } as ArchivedRow
    return value === stored || isRefused(table, row)
      ? []
      : [
          {
            table,
            at,
            row,
            how: `${tableNameOf(table)}.${column.name} ${JSON.stringify(value).slice(0, 300)}`,
          },
        ]
  })
}

/** All that the service does by itself, as of whom it may be. */
async function runEverything(): Promise<void> {
  for (const sweep of work.sweeps ?? []) {
    await sweep(contextWith())
  }
  // All but what asks other services.
  const kinds = new Set(Object.values(work.schedule).flat()).difference(new Set([FETCH_RATES]))
  for (const kind of kinds) {
    const job = work.jobs.find((one) => one.kind === kind)
    await job?.run(contextWith(), { day: new Date().toISOString().slice(0, 10) }, [])
  }
  await runReaders(work.readers ?? [], () => contextWith())
}

it('is refused, or all that reads it can', { timeout: 3_600_000 }, async () => {
  const random = randomFrom(SEED)
  const accepted = eachColumn().flatMap((place) => forge(random, place))
  let done = 0
  for (let round = 0; round < RESTORES; round++) {
    const { table, at, row, how } = random.pick(accepted)
    const lines = rowsIn(table).with(at, row)
    const path = `data/${tableNameOf(table)}.ndjson`
    const changed = { [path]: lines.map((one) => `${JSON.stringify(one)}\n`).join('') }
    const user = await newUser()
    const report = await restored(user, await packed(withManifest(files, changed)))
    const said = `${how}: ${JSON.stringify(report.error)}, seed ${SEED}`
    if (report.state === 'done') {
      done += 1
      await readAll(user).catch((error: unknown) => {
        throw new Error(said, { cause: error })
      })
      await runEverything().catch((error: unknown) => {
        throw new Error(said, { cause: error })
      })
      const again = await backedUp(user)
      expect(again.hash, said).not.toBe('')
    } else {
      expect(report, said).toMatchObject({ state: 'failed', error: { code: expect.any(String) } })
      expect(await rowsOf(user), said).toEqual({})
    }
    await erase(user)
  }
  console.log(`${done} of ${RESTORES} were restored, of ${accepted.length} values, seed ${SEED}`)
})
