import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { MOST_EVENTS } from '../../src/platform/work/reader-rows.ts'
import { testEvents } from '../support/events.ts'
import { randomFrom } from '../support/random.ts'
import { rounds, SEED } from '../support/rounds.ts'
import { databaseWith } from '../support/service.ts'
import { LEFT_OUT, MINUTE, newOwner, newReader, refusing, tell } from './listeners.fixtures.ts'

/** What one owner is to get of a reader, and has got. */
class Model {
  listens = false
  waiting: string[] = []
  failures = 0
  nextAttemptAt = 0
  got: string[] = []

  run(now: number, bad: ReadonlySet<string>): void {
    for (let [word] = this.waiting; word !== undefined; [word] = this.waiting) {
      if (this.failures > 0 && this.nextAttemptAt > now) {
        return
      }
      const isBad = bad.has(word)
      this.failures = isBad ? this.failures + 1 : 0
      this.nextAttemptAt = now + MINUTE * 4 ** (this.failures - 1)
      if (!isBad) {
        this.got.push(word)
      }
      if (!isBad || this.failures === 5) {
        this.failures = 0
        this.waiting.shift()
      }
    }
  }
}

it('reacts once to each event of who listens, in their order, or leaves it out after its tries', async () => {
  const { whole, chance, pick, below } = randomFrom(SEED)
  const bad = new Set<string>()
  const refuse = refusing(bad)
  const reader = newReader(async (words) => {
    // So that runs at once come in any order.
    for (let turns = below(4); turns > 0; turns--) {
      await new Promise(setImmediate)
    }
    refuse(words)
  })
  await reader.run()
  const models = new Map(Array.from({ length: 12 }, () => [newOwner(), new Model()] as const))
  const owners = [...models.keys()]
  let now = Date.now()
  let count = 0

  const listen = async (owner: string, listens: boolean) => {
    const model = models.get(owner) ?? new Model()
    await reader.listen(owner, listens)
    if (!listens) {
      Object.assign(model, { waiting: [], failures: 0 })
    }
    model.listens = listens
  }
  const tellSome = async (events: number) => {
    const few = chance(0.3) ? [pick(owners)] : owners
    const told = Array.from({ length: events }, (): [string | null, string] => [
      chance(0.05) ? null : pick(few),
      `w${count++}`,
    ])
    const way = below(8)
    if (way === 0) {
      await tell(told, {}, testEvents.done)
    } else if (way === 1) {
      await tell(told, { operation: LEFT_OUT })
    } else {
      for (const [owner, word] of told) {
        const model = models.get(owner ?? '')
        if (model?.listens) {
          model.waiting.push(word)
        }
        if (chance(0.02)) {
          bad.add(word)
        }
      }
      await tell(told)
    }
  }
  /** Nothing works any more after a kill, be it that the last commit was stored. */
  const runKilled = async () => {
    let left = whole(1, 12)
    const isStored = chance(0.5)
    const DB = databaseWith(async (_, run) => {
      left -= 1
      if (left === 0 && isStored) {
        await run()
      }
      if (left <= 0) {
        throw new Error('killed')
      }
      return run()
    })
    await reader.run(now, { ...env, DB }).catch(() => undefined)
  }

  for (let step = 0; step < rounds(500, 3000); step++) {
    const kind = below(10)
    if (kind < 4) {
      await tellSome(chance(0.1) ? whole(MOST_EVENTS, 3 * MOST_EVENTS) : whole(1, 6))
    } else if (kind < 5) {
      await listen(pick(owners), chance(0.7))
    } else if (kind < 6) {
      const [healed] = [...bad].slice(-below(6))
      bad.delete(healed ?? '')
    } else {
      now += whole(0, 25) * MINUTE
      for (let kills = chance(0.4) ? whole(1, 3) : 0; kills > 0; kills--) {
        await runKilled()
      }
      if (chance(0.3)) {
        await Promise.all([
          ...Array.from({ length: whole(2, 3) }, () => reader.run(now)),
          tellSome(whole(1, 6)),
        ])
      }
      await reader.run(now)
      for (const model of models.values()) {
        model.run(now, bad)
      }
      const expected = [...models].filter(([, { got }]) => got.length > 0)
      expect(await reader.stored(), `step ${step}`).toEqual(
        Object.fromEntries(expected.map(([owner, { got }]) => [owner, got])),
      )
    }
  }
  const reached = [...models.values()].flatMap(({ got }) => got)
  expect(reached.length).toBeGreaterThan(800)
  expect(await reader.skipped()).toBeGreaterThan(5)
})
