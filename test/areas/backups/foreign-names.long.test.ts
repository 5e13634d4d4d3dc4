import { expect, it } from 'vitest'
import { rounds } from '../../support/rounds.ts'
import { fewAtOnce, harmBy } from './foreign-names.fixtures.ts'
import { RENAMINGS } from './forging.fixtures.ts'
import { newStage } from './staging.fixtures.ts'

// More of what foreign-names.test.ts tries: every table by itself, few columns at once, and then whatever chance brings.

const ARCHIVES = rounds(120, 5000)
/** Columns that one archive has other values in; more of them would hide each other's effects. */
const COLUMNS_AT_ONCE = 4

it(
  `harms nobody by ${ARCHIVES} archives that name what others have`,
  { timeout: 7_200_000 },
  async () => {
    const found = await harmBy(await newStage(), function* ({ columns, tables, random }) {
      let left = ARCHIVES
      for (const table of tables) {
        const how = random.pick(['same', 'other prefix', 'core'] as const)
        yield { renamed: { how, tables: [table] }, columns: [] }
        left -= 1
      }
      yield { renamed: { how: 'everything', tables: [] }, columns: [] }
      left -= 1
      for (const few of fewAtOnce(columns, COLUMNS_AT_ONCE)) {
        yield { columns: few }
        left -= 1
      }
      for (; left > 0; left--) {
        const some = Array.from({ length: random.whole(0, 3) }, () => random.pick(columns))
        yield {
          ...(random.chance(0.5)
            ? { renamed: { how: random.pick(RENAMINGS), tables: [random.pick(tables)] } }
            : {}),
          columns: [...new Set(some)],
        }
      }
    })
    expect(found.unnamed).toEqual([])
    expect(found.faults).toEqual([])
    expect(found.after).toEqual(found.before)
    expect(found.counts.done).toBeGreaterThan(ARCHIVES / 4)
  },
)
