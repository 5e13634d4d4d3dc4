import { runSteps } from '../../../src/domain/steps.ts'
import { expect, it } from 'vitest'
import {
  Findings,
  ByteLines,
} from '../../../src/areas/data-rights/backups/verifying/manifest.usecases.ts'
import { verifyBackup } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import {
  LINE_BOUNDS,
  MOST_OF_LINE,
} from '../../../src/areas/data-rights/backups/verifying/verifying.rules.ts'
import { MOST_PAYEES } from '../../../src/areas/money/categories/categories.rules.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { MOST_RELABELLED } from '../../../src/ledger/labels/labels.rules.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { newCategory } from '../categories/trees.ts'
import { bringBack } from '../trash/trashing.ts'
import { bytes } from './packing.ts'
import { backedUp, restored } from './restoring.ts'

// The largest thing that the trash can hold is one line of an archive.

const addPayees = (as: Principal & { id: string }, categoryId: string, count: number) =>
  rows(
    `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
      INSERT INTO payees (id, owner_id, name, name_key, default_category_id, created_at, updated_at)
      SELECT 'pay_' || substr(?3, 5, 21) || printf('%05d', n), ?2, 'P' || n, 'p' || n, ?3, 1, 1 FROM n`,
    count,
    as.id,
    categoryId,
  )

// It reads a line of 1.7 million characters a dozen times.
const LIMIT = { timeout: 600_000 }

it(
  'a backup with the largest category in the trash can be verified, restored and merged',
  LIMIT,
  async () => {
    const me = await newUser()
    const [gone, taker] = [await newCategory(me), await newCategory(me)]
    await addPayees(me, gone.id, MOST_PAYEES + 1)
    const remove = () =>
      call(deleteCategory, { as: me, id: gone.id, query: { reassignTo: taker.id } })
    expect(await remove()).toMatchObject({
      status: 409,
      error: { code: 'categories.tooManyPayees' },
    })
    await rows('DELETE FROM payees WHERE owner_id = ? AND name = ?', me.id, 'P1')
    expect((await remove()).status).toBe(200)
    // And as if it had been on as many transactions as it may be. Of all of this only the image is left.
    await rows('DELETE FROM payees WHERE owner_id = ? AND name_key > ?', me.id, 'p3')
    await rows(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
      UPDATE trashed_rows SET image = json_set(image, '$.lines', (SELECT json_group_object(
        'txn_' || substr(?2, 5, 21) || printf('%05d', n), json_array(2)) FROM n)) WHERE id = ?2`,
      MOST_RELABELLED,
      gone.id,
    )

    const { id, archive, hash } = await backedUp(me)
    const found = await ok(verifyBackup, { as: me, query: { backupId: id }, headers: {} })
    expect(found).toMatchObject({ intact: true, faults: [] })
    const merged = await restored(me, archive, { mode: 'merge' })
    expect(merged).toMatchObject({ state: 'done', contentHash: hash })
    const other = await newUser()
    expect(await restored(other, archive)).toMatchObject({ state: 'done', error: null })
    const again = await backedUp(other)
    const check = await ok(verifyBackup, { as: other, query: { backupId: again.id }, headers: {} })
    expect(check).toMatchObject({ intact: true })
    expect((await bringBack(me, 'category', gone.id)).status).toBe(200)
  },
)

const faultsOf = (text: string) => {
  const found = new Findings()
  const taken: number[] = []
  const lines = new ByteLines('x.ndjson', found, (_, line) => taken.push(line))
  const all = bytes(text)
  for (let at = 0; at < all.length; at += 65_536) {
    runSteps(lines.add(all.subarray(at, at + 65_536)))
  }
  lines.end()
  return { taken, faults: found.first.map(({ code, line }) => `${code} ${line}`) }
}

it.each([
  ['as long as may be', `{"a":"${'x'.repeat(MOST_OF_LINE - 8)}"}`, []],
  ['longer by one', `{"a":"${'x'.repeat(MOST_OF_LINE - 7)}"}`, ['malformedLine 1']],
  ['of as many parts as may be', `{"a":[${'[],'.repeat(LINE_BOUNDS.most - 3)}[]]}`, []],
  ['of one part more', `{"a":[${'[],'.repeat(LINE_BOUNDS.most - 2)}[]]}`, ['malformedLine 1']],
])('reads a line that is %s, or refuses it', (_, line, faults) => {
  expect(faultsOf(`${line}\n`)).toEqual({ taken: faults.length > 0 ? [] : [1], faults })
})
