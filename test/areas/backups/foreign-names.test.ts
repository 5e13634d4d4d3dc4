import { beforeAll, expect, it } from 'vitest'
import { isProof, rounds, SEED as ANY_SEED } from '../../support/rounds.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { ACTIONS, sweep } from './attacking.fixtures.ts'
import {
  type Forgery,
  idsByTable,
  naming,
  namingColumns,
  RENAMINGS,
  renaming,
  takesNoName,
} from './forging.fixtures.ts'
import {
  type Attack,
  attack,
  damages,
  newStage,
  type Stage,
  staySignedIn,
} from './staging.fixtures.ts'
import { backedUp } from './restoring.ts'

// Whatever an archive names, in every column that can name something: nothing of others changes by what is restored of it.

const ARCHIVES = rounds(200, 5000)
/** The same archives in each `npm test`, but where a seed is given. */
const SEED = isProof || process.env['COFFER_SEED'] ? ANY_SEED : 1
/** Columns that one archive has other values in; more of them would hide each other's effects. */
const COLUMNS_AT_ONCE = 4

let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})

/** The form of one archive: a renaming of the rows of a table, and columns with other values. */
interface Plan {
  renamed?: { how: (typeof RENAMINGS)[number]; table: string }
  columns: string[]
}

/** First every table and every column, then what chance brings. */
function* plans(random: Random, columns: string[], tables: string[]): Generator<Plan> {
  for (const table of tables) {
    yield { renamed: { how: 'same', table }, columns: [] }
    yield { renamed: { how: random.pick(['other prefix', 'core']), table }, columns: [] }
  }
  yield { renamed: { how: 'everything', table: '' }, columns: [] }
  for (let at = 0; at < columns.length; at += COLUMNS_AT_ONCE) {
    yield { columns: columns.slice(at, at + COLUMNS_AT_ONCE) }
  }
  for (;;) {
    const some = Array.from({ length: random.whole(0, 3) }, () => random.pick(columns))
    yield {
      ...(random.chance(0.5)
        ? { renamed: { how: random.pick(RENAMINGS), table: random.pick(tables) } }
        : {}),
      columns: [...new Set(some)],
    }
  }
}

/** Some columns of each table in turn, so that those of one archive stand in different tables. */
function scattered(columns: string[]): string[] {
  const byTable = [...Map.groupBy(columns, (place) => place.replace(/\..*/, '')).values()]
  const most = Math.max(...byTable.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) => byTable.flatMap((some) => some[at] ?? [])).flat()
}

function attackBy({ renamed, columns }: Plan, random: Random): Attack & { told: string } {
  const { files, targets } = stage
  const known = namingColumns()
  const ends = random.whole(1, 4)
  const actions = Object.keys(ACTIONS).filter(() => random.chance(0.3))
  const how = {
    isMoved: random.chance(0.5),
    isMerged: random.chance(0.3),
    isTakenBack: ends === 1,
    isWiped: ends === 2,
    isRepeated: ends === 3 && random.chance(0.2),
    actions,
  }
  const forge = (at: (id: string) => string): Forgery => {
    const map = renamed
      ? renaming(files, renamed.how, renamed.table, targets, random)
      : new Map<string, string>()
    const moved = { ids: targets.ids.map(at), users: targets.users }
    const byTable = Map.groupBy(columns, (place) => place.replace(/\..*/, ''))
    return {
      renamed: new Map([...map].map(([from, to]) => [from, at(to)])),
      rows: Object.fromEntries(
        [...byTable].map(([table, places]) => [
          table,
          (rows) => {
            const place = random.whole(0, rows.length - 1)
            const values = Object.fromEntries(
              places.flatMap((one) => {
                const column = known.get(one)?.column
                const was = rows[place]?.[column?.name ?? ''] ?? null
                return column ? [[column.name, naming(column, was, moved, random)]] : []
              }),
            )
            return rows.map((row, index) => (index === place ? { ...row, ...values } : row))
          },
        ]),
      ),
      // Other bytes take the place of what else is changed of files.
      ...(random.chance(0.2) && !byTable.has('attachments')
        ? { content: new TextEncoder().encode('%PDF-1.7 forged') }
        : {}),
    }
  }
  return { ...how, forge, told: JSON.stringify({ renamed, columns, ...how }) }
}

it(
  `harms nobody by ${ARCHIVES} archives that name what others have`,
  { timeout: 7_200_000 },
  async () => {
    const random = randomFrom(SEED)
    const hashes = async () =>
      Promise.all([stage.stranger, stage.sharer].map(async (one) => (await backedUp(one)).hash))
    const before = await hashes()
    await damages(stage)
    const places = [...namingColumns()].flatMap(([place, { table, column }]) =>
      takesNoName(stage.files, table, column, stage.targets) ? [] : [place],
    )
    const tables = [...idsByTable(stage.files).keys()]
    const named = new Set<string>()
    const counts: Record<string, number> = {}
    const faults: string[] = []
    const all = plans(random, scattered(places), tables)
    for (let round = 1; round <= ARCHIVES; round++) {
      const plan = all.next().value as Plan
      const how = attackBy(plan, random)
      const outcome = await attack(stage, how)
      const { state, error, faults: found } = outcome
      outcome.columns.forEach((place) => named.add(place))
      counts[state] = (counts[state] ?? 0) + 1
      if (found.length > 0) {
        const told = `archive ${round} of seed ${SEED}, ${state} ${error}: ${how.told}`
        faults.push(`${found.slice(0, 5).join(', ')}, by ${told}`)
      }
      if (round % 50 === 0) {
        await sweep()
        await staySignedIn(stage)
      }
    }
    faults.push(...(await damages(stage)).map((fault) => `${fault}, by a sweep of seed ${SEED}`))
    console.log(`${ARCHIVES} archives: ${JSON.stringify(counts)}, seed ${SEED}`)
    expect(places.filter((place) => !named.has(place))).toEqual([])
    expect(faults).toEqual([])
    expect(await hashes()).toEqual(before)
    expect(counts['done']).toBeGreaterThan(ARCHIVES / 4)
  },
)
