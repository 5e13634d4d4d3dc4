import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { startClock } from '../../src/hosts/node/clock.ts'
import { inProject } from '../../scripts/lib/project.ts'

const HOUR = 3_600_000
const CRONS = ['*/5 * * * *', '17 3 * * *']

interface Tick {
  cron: string
  at: string
}

const nightsIn = (ticks: Tick[]) => ticks.filter(({ cron }) => cron === '17 3 * * *')
const oftenIn = (ticks: Tick[]) => ticks.filter(({ cron }) => cron === '*/5 * * * *')

/** What a clock starts, with the time of it, until two nights have begun, at a speed of an hour in 50 ms. */
async function ticksOf(start: string, tick = () => Promise.resolve(true)) {
  const [begin, from, speed] = [performance.now(), Date.parse(start), HOUR / 50]
  const now = () => from + (performance.now() - begin) * speed
  const ticks: Tick[] = []
  const clock = startClock({
    crons: CRONS,
    tick: (cron) => {
      ticks.push({ cron, at: new Date(now()).toISOString() })
      return tick()
    },
    now,
    speed,
  })
  while (nightsIn(ticks).length < 2 || oftenIn(ticks).length < 6) {
    await pause(10)
  }
  await clock.stop()
  const count = ticks.length
  await pause(20)
  expect(ticks, 'nothing is started once it has stopped').toHaveLength(count)
  return ticks
}

it('starts everything at once, then each at its time, in UTC', async () => {
  const ticks = await ticksOf('2026-03-01T01:02:00Z')
  expect(ticks.slice(0, 2).map(({ cron }) => cron)).toEqual(CRONS)
  expect((nightsIn(ticks)[1]?.at ?? '') >= '2026-03-01T03:17').toBe(true)
  for (const { at } of oftenIn(ticks).slice(1)) {
    expect(at >= '2026-03-01T01:05', at).toBe(true)
  }
})

it('runs one tick at a time', async () => {
  let running = 0
  let most = 0
  await ticksOf('2026-03-01T01:02:00Z', async () => {
    running += 1
    most = Math.max(most, running)
    await pause(5)
    running -= 1
    return true
  })
  expect([most, running]).toEqual([1, 0])
})

it('tries a tick that failed again after a minute, until it is done', async () => {
  const from = Date.parse('2026-03-01T01:02:00Z')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: from })
  const at: number[] = []
  const clock = startClock({
    crons: ['17 3 * * *'],
    tick: async () => {
      at.push(Date.now() - from)
      return at.length > 2
    },
    now: () => Date.now(),
  })
  await vi.advanceTimersByTimeAsync(HOUR)
  await clock.stop()
  vi.useRealTimers()
  expect(at).toEqual([0, 60_000, 120_000])
})

it('has the expressions of wrangler.toml', async () => {
  const { work } = await import('../../src/areas/index.ts')
  const crons = /crons = (\[.*\])/.exec(readFileSync(inProject('wrangler.toml'), 'utf8'))?.[1]
  expect(Object.keys(work.schedule)).toEqual(JSON.parse(crons ?? ''))
})
