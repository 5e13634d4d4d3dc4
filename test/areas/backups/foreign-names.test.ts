import { expect, it } from 'vitest'
import type { Random } from '../../support/random.ts'
import { fitting, namingColumns, rowsOf } from './forging.fixtures.ts'
import { fewAtOnce, harmBy } from './foreign-names.fixtures.ts'
import { newStage, type Stage } from './staging.fixtures.ts'

// Whatever an archive names, in every column that can name something: nothing of others changes by what is restored of it.

/** Tables and columns that one archive has other values in: foreign-names.long.test.ts has fewer of them in far more archives. */
const TABLES_AT_ONCE = 11
const COLUMNS_AT_ONCE = 12
/** An archive is refused if these have any id of others, which would hide what comes of other tables. */
const REFUSED = ['accounts', 'transactions']
/** Columns whose values are refused for what they say beside an id. */
const REFUSED_COLUMNS = new Set([
  ...['attachments.file_name', 'attachments.content_type', 'budget_lines.account_id'],
  ...['entries.external_id', 'unbooked_entries.external_id'],
])

/** Why an archive is refused that names others in a column: one reason would hide the others. */
function refusalOf(place: string, { files, targets }: Stage, random: Random): string {
  const found = namingColumns().get(place)
  const [row] = rowsOf(files, found?.table ?? '')
  if (!found || !row || REFUSED_COLUMNS.has(place) || !fitting(found, row, targets, random)) {
    return 'value'
  }
  const { column, shape } = found
  return column.name === shape.id ? 'id' : column.refersTo ? 'reference' : 'none'
}

it('harms nobody by archives that name what others have in each table and column', async () => {
  const stage = await newStage()
  const found = await harmBy(stage, function* ({ columns, tables, random }) {
    const free = tables.filter((table) => !REFUSED.includes(table))
    for (const some of [...fewAtOnce(free, TABLES_AT_ONCE), ...REFUSED.map((table) => [table])]) {
      yield { renamed: { how: 'same', tables: some }, columns: [], isPlausible: true }
      yield { renamed: { how: 'other prefix', tables: some }, columns: [], isPlausible: true }
      yield { renamed: { how: 'core', tables: some }, columns: [], isTakenBack: true }
    }
    yield { renamed: { how: 'everything', tables: [] }, columns: [] }
    const byRefusal = Map.groupBy(columns, (place) => refusalOf(place, stage, random))
    for (const few of [...byRefusal.values()].flatMap((some) => fewAtOnce(some, COLUMNS_AT_ONCE))) {
      yield { columns: few, isPlausible: true }
    }
  })
  expect(found.unnamed).toEqual([])
  expect(found.faults).toEqual([])
  expect(found.after).toEqual(found.before)
  expect(found.counts.done).toBeGreaterThan(found.counts.all / 4)
})
