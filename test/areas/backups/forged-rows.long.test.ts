import { beforeAll, expect, it } from 'vitest'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { tableNameOf, shapeOf } from '../../../src/platform/owned-data/archived-tables.ts'
import { isProof, rounds, SEED } from '../../support/rounds.ts'
import { contextWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { newOwner, type Owner } from '../own-user/owners.fixtures.ts'
import { makeDue } from '../own-user/user-traces.fixtures.ts'
import { contentsOf } from './archives.ts'
import { type Files, packed, text, withManifest } from './packing.ts'
import { readAll } from './reading.ts'
import { backedUp, restored, rowsOf } from './restoring.ts'

// Archives with a manifest that fits, and something in their rows that no service wrote: by chance, whatever it is, it is
// restored so that all can be read and the books are right, or it fails and leaves nothing.

const FORGERIES = rounds(8, 1500)

type Row = Record<string, unknown>

let files: Files
let victim: Owner
let theirs: string[]

beforeAll(async () => {
  const me = await newOwner()
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  files = await contentsOf(me, (await backedUp(me)).id)
  victim = await newOwner()
  const found = JSON.stringify(await contentsOf(victim, (await backedUp(victim)).id).then(told))
  theirs = [...new Set(found.match(/\b[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}\b/g))]
})

const told = (all: Files) => Object.values(all).map(text)

async function erase(user: TestUser): Promise<void> {
  await makeDue(user)
  await eraseUserJob.run(contextWith(), { userId: user.id }, [])
}

const linesOf = (table: string): Row[] =>
  text(files[`data/${table}.ndjson`])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

const HOSTILE: unknown[] = [
  ...[
    null,
    '',
    0,
    1,
    -1,
    2,
    0.5,
    true,
    [],
    {},
    2 ** 53 - 1,
    -(2 ** 53 - 1),
    4e15,
    1e300,
    '0',
    '-1',
  ],
  ...[
    'x',
    'x'.repeat(5000),
    '💥',
    '\u202E',
    'a\u0000b',
    '\uD800',
    'self',
    '__proto__',
    '%00',
    '=1+1',
  ],
  ...[
    '[]',
    '{}',
    'null',
    '[{}]',
    '{"x":1}',
    '[null]',
    '"x"',
    '{"row":{}}',
    '[1e999]',
    '[['.repeat(900),
  ],
  ...[
    '2026-02-30',
    '0001-01-01',
    '9999-12-31',
    '2026-03',
    'EUR',
    'JPY',
    'XXX',
    'expense',
    'transfer',
  ],
]

/** The rows of some tables, one or two of which are forged; tells how. */
function forge(random: Random): { changed: Record<string, string>; how: string } {
  const tables = archivedTables().filter((table) => linesOf(tableNameOf(table)).length > 0)
  const changed: Record<string, string> = {}
  const how: string[] = []
  for (let times = random.whole(1, 2); times > 0; times--) {
    const table = random.pick(tables)
    const name = tableNameOf(table)
    const rows = linesOf(name)
    const at = random.whole(0, rows.length - 1)
    const row = rows[at] ?? {}
    const column = random.pick(shapeOf(table).columns).name
    const kind = random.whole(1, 10)
    if (kind === 1) {
      rows.splice(at, 1)
      how.push(`${name} without row ${at}`)
    } else if (kind === 2) {
      const other = random.pick(theirs)
      rows.push({ ...row, ...('id' in row ? { id: other } : {}) })
      how.push(`${name} with row ${at} again as ${other}`)
    } else {
      const others = rows.map((one) => one[column])
      const value = random.pick([
        ...HOSTILE,
        ...others,
        ...Array.from({ length: 20 }, () => random.pick([...theirs, victim.id])),
      ])
      rows[at] = { ...row, [column]: value }
      how.push(`${name}.${column} of row ${at} is ${JSON.stringify(value)?.slice(0, 100)}`)
    }
    changed[`data/${name}.ndjson`] = rows.map((one) => `${JSON.stringify(one)}\n`).join('')
  }
  return { changed, how: how.join(', ') }
}

it(`ends well whatever ${FORGERIES} rows say`, { timeout: 3_600_000 }, async () => {
  const random = randomFrom(SEED)
  const before = await rowsOf(victim)
  let done = 0
  for (let round = 0; round < FORGERIES; round++) {
    const { changed, how } = forge(random)
    const user = await newUser()
    const report = await restored(user, await packed(withManifest(files, changed)))
    const said = `${how}: ${JSON.stringify(report.error)}, seed ${SEED}`
    if (report.state === 'done') {
      done += 1
      const seen = await readAll(user)
      expect(seen, said).not.toContain(victim.email)
      expect((await backedUp(user)).hash, said).toBe(report.contentHash)
      for await (const { found } of compareLedger(contextWith())) {
        expect(Object.values(found).flat(), said).toEqual([])
      }
      await erase(user)
    } else {
      expect(report, said).toMatchObject({ state: 'failed', error: { code: expect.any(String) } })
      expect(await rowsOf(user), said).toEqual({})
    }
  }
  expect(await rowsOf(victim)).toEqual(before)
  // Of a few, by chance none or all.
  if (isProof) {
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(FORGERIES)
  }
  console.log(`${done} of ${FORGERIES} were restored, seed ${SEED}`)
})
