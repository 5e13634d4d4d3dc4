import { expect, it } from 'vitest'
import { FORMAT_KEYS, ROLES } from '../../src/domain/bank-files/format.ts'
import { TRASH_KEPT_MS, TRASH_KINDS, WIPE_KINDS } from '../../src/domain/owned-data.ts'

it.each(Object.entries({ FORMAT_KEYS, ROLES, TRASH_KINDS, WIPE_KINDS }))(
  '%s names nothing twice',
  (_, list) => {
    expect(new Set<string>(list).size).toBe(list.length)
  },
)

it('what was deleted is kept for 30 days', () => {
  expect(TRASH_KEPT_MS / 86_400_000).toBe(30)
})
