import { expect, it } from 'vitest'
import { arriveThroughKills } from './killed.fixtures.ts'

it('2,000 events arrive through ten kills, and none of 500 commits that failed', async () => {
  expect(await arriveThroughKills({ events: 2000, refused: 500, kills: 10 })).toBe(2000)
})
