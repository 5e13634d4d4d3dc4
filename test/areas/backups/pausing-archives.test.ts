import { expect, it } from 'vitest'
import {
  Findings,
  ByteLines,
} from '../../../src/areas/data-rights/backups/verifying/manifest.usecases.ts'
import {
  archiveMemberOf,
  RowCheck,
} from '../../../src/areas/data-rights/backups/verifying/rows.usecases.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { mapRowInSteps } from '../../../src/platform/owned-data/archived-ids.ts'
import { shapeOf, tableNameOf } from '../../../src/platform/owned-data/archived-tables.ts'
import type { Steps } from '../../../src/domain/steps.ts'

// Between two steps others get their turn, so none of them may hold much.

function stepsOf<Result>(work: Steps<Result>): { steps: number; result: Result } {
  for (let steps = 0; ; steps++) {
    const { done, value } = work.next()
    if (done) {
      return { steps, result: value }
    }
  }
}

const categories = archivedTables().find((table) => tableNameOf(table) === 'categories')

it('each line of an archive is a step', () => {
  const taken: number[] = []
  const lines = new ByteLines('data/tags.ndjson', new Findings(), (_, line) => taken.push(line))
  const { steps } = stepsOf(lines.add(new TextEncoder().encode('{}\n'.repeat(5000))))
  expect([steps, taken.length]).toEqual([5000, 5000])
})

it('the ids of a long row are renewed in steps, as those of a short one are at once', () => {
  const trashed = archivedTables().find((table) => tableNameOf(table) === 'trashed_rows')
  if (!trashed) {
    throw new Error('no archive has rows of the trash')
  }
  const idOf = (at: number) => `pay_0${String(at).padStart(25, '0')}`
  const mapping = { isKept: false, foreign: new Set<string>(), users: new Set<string>() }
  const mapped = (count: number) => {
    let renewed = 0
    const payeeIds = Array.from({ length: count }, (_, at) => idOf(at))
    const { steps, result } = stepsOf(
      mapRowInSteps(
        shapeOf(trashed),
        { id: idOf(0), name: 'x', image: JSON.stringify({ payeeIds }) },
        {
          ...mapping,
          renew: (core) => {
            renewed += 1
            return core.replace(/^0/, '1')
          },
        },
      ),
    )
    const image = JSON.parse(String(result['image'])) as { payeeIds: string[] }
    expect(image.payeeIds).toEqual(payeeIds.map((id) => id.replace('_0', '_1')))
    return { steps, renewed }
  }
  expect(mapped(1000)).toMatchObject({ steps: 0 })
  // And the id of the row itself is one of them.
  expect(mapped(20_000)).toEqual({ steps: 20, renewed: 20_000 })
})

it.each([
  ['in one line above each other', (at: number) => at - 1, 'levels'],
  ['in a circle', (at: number) => (at === 0 ? 4999 : at - 1), 'below itself'],
])('rows that stand %s are looked through in steps', (_, parentOf, message) => {
  if (!categories) {
    throw new Error('no archive has categories')
  }
  const rows = new RowCheck(Date.now())
  const id = (at: number) => `cat_0${String(at).padStart(25, '0')}`
  for (let at = 0; at < 5000; at++) {
    const parent = parentOf(at)
    rows.take(categories, {
      ...{ id: id(at), parent_id: parent < 0 ? null : id(parent), kind: 'expense', depth: 1 },
      ...{ name: `${at}`, name_key: `${at}`, sort_order: 0, version: 1 },
      ...{ created_at: 0, updated_at: 0 },
    })
  }
  const { steps, result } = stepsOf(rows.end(categories))
  expect(steps).toBeGreaterThan(5)
  expect(result.map((told) => told.message).join()).toContain(message)
  expect(archiveMemberOf(categories)).toBe('data/categories.ndjson')
})
