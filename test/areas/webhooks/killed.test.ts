import { expect, it } from 'vitest'
import { arriveThroughKills } from './killed.fixtures.ts'

it('each event arrives although receiver and sender fail, and no other does', async () => {
  expect(await arriveThroughKills({ events: 60, refused: 10, kills: 4 })).toBe(60)
})
