import { isProof, SEED as ANY_SEED } from '../../support/rounds.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { ACTIONS, sweep } from './attacking.fixtures.ts'
import {
  fitting,
  type Forgery,
  idsByTable,
  naming,
  namingColumns,
  type Renaming,
  renaming,
  takesNoName,
} from './forging.fixtures.ts'
import { type Attack, attack, damages, type Stage, staySignedIn } from './staging.fixtures.ts'
import { backedUp } from './restoring.ts'

// Archives that name what others have, in every column that can name something, and what they do to others.

/** The same archives in each run of the tests, but where a seed is given. */
const SEED = isProof || process.env['COFFER_SEED'] ? ANY_SEED : 1

/** The form of one archive: a renaming of the rows of tables, and columns with other values. */
interface Plan {
  renamed?: { how: Renaming; tables: string[] }
  columns: string[]
  /** Whether it is made to be accepted: it has ids of others as they are, values of the right form, and no lines that contradict. */
  isPlausible?: boolean
  /** Whether its lines contradict each other, so that all of it is taken back; by chance where neither is said. */
  isTakenBack?: boolean
}

/** What archives can name others in, and the chance that decides about them. */
interface Means {
  columns: string[]
  tables: string[]
  random: Random
}

/** Some columns of each table in turn, so that those of one archive stand in different tables. */
function scattered(columns: string[]): string[] {
  const byTable = [...Map.groupBy(columns, (place) => place.replace(/\..*/, '')).values()]
  const most = Math.max(...byTable.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) => byTable.flatMap((some) => some[at] ?? [])).flat()
}

export const fewAtOnce = <Item>(items: readonly Item[], few: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / few) }, (_, at) =>
    items.slice(at * few, (at + 1) * few),
  )

function attackBy(
  { files, targets }: Stage,
  { renamed, columns, isPlausible, isTakenBack }: Plan,
  random: Random,
): Attack & { told: string } {
  const known = namingColumns()
  const ends = random.whole(isPlausible ? 2 : 1, 4)
  const actions = Object.keys(ACTIONS).filter(() => random.chance(0.3))
  const how = {
    isMoved: random.chance(isPlausible ? 0 : 0.5),
    isMerged: random.chance(0.3),
    isTakenBack: isTakenBack ?? ends === 1,
    isWiped: ends === 2,
    isRepeated: ends === 3 && random.chance(0.2),
    actions,
  }
  const forge = (at: (id: string) => string): Forgery => {
    const map = renamed
      ? renaming(files, renamed.how, renamed.tables, targets, random)
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
            const row = rows[place] ?? {}
            const values = Object.fromEntries(
              places.flatMap((one) => {
                const found = known.get(one)
                if (!found) {
                  return []
                }
                const { column } = found
                const well = isPlausible ? fitting(found, row, moved, random) : undefined
                const was = row[column.name] ?? null
                return [[column.name, well ?? naming(column, was, moved, random)]]
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

/** Tries archives of these forms one after the other, and tells what came of them. */
export async function harmBy(stage: Stage, plans: (means: Means) => Iterable<Plan>) {
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
  const counts = { all: 0, done: 0 }
  const faults: string[] = []
  for (const plan of plans({ columns: scattered(places), tables, random })) {
    const how = attackBy(stage, plan, random)
    const { state, error, columns, faults: found } = await attack(stage, how)
    columns.forEach((place) => named.add(place))
    counts.all += 1
    counts.done += state === 'done' ? 1 : 0
    if (found.length > 0) {
      const told = `archive ${counts.all} of seed ${SEED}, ${state} ${error}: ${how.told}`
      faults.push(`${found.slice(0, 5).join(', ')}, by ${told}`)
    }
    if (counts.all % 50 === 0) {
      await sweep()
      await staySignedIn(stage)
    }
  }
  await sweep()
  faults.push(...(await damages(stage)).map((fault) => `${fault}, by a sweep of seed ${SEED}`))
  console.log(`${JSON.stringify(counts)}, seed ${SEED}`)
  const unnamed = places.filter((place) => !named.has(place))
  return { counts, faults, unnamed, before, after: await hashes() }
}
