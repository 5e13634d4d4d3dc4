import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { setPatience, turnsOf } from '../../src/platform/work/turns.ts'
import { PATIENCE } from '../support/patience.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

// There requests wake none of each other.
const isOnWorkers = navigator.userAgent === 'Cloudflare-Workers'

const busy = () => new AppError('unavailable', 'test.busy', 'Come again.', { retryAfter: 2 })

describe('work in turns', () => {
  beforeAll(() => setPatience(1))

  afterAll(() => setPatience(PATIENCE))

  afterEach(() => {
    vi.useRealTimers()
  })

  it('does two at once, lets three wait, and refuses the others at once', async () => {
    const inTurn = turnsOf({ atOnce: 2, waiting: 3, waitMs: 5000, busy })
    let running = 0
    let most = 0
    const work = () =>
      inTurn(async () => {
        running += 1
        most = Math.max(most, running)
        await pause(30)
        running -= 1
        return 'done'
      })
    const settled = await Promise.allSettled(Array.from({ length: 9 }, work))
    expect(most).toBe(2)
    expect(settled.map((one) => one.status)).toEqual([
      ...Array(5).fill('fulfilled'),
      ...Array(4).fill('rejected'),
    ])
    const { reason } = settled[8] as PromiseRejectedResult
    const { kind, code, retryAfter } = reason as AppError
    expect([kind, code, retryAfter]).toEqual(['unavailable', 'test.busy', 2])
    expect(await work()).toBe('done')
  })

  it.skipIf(isOnWorkers)(
    'wakes what waits in the order in which it came, as soon as there is room',
    async () => {
      // Nobody looks again by the clock.
      vi.useFakeTimers({ toFake: ['setInterval'] })
      const inTurn = turnsOf({ atOnce: 2, waiting: 20, waitMs: 5000, busy })
      const done: number[] = []
      const works = Array.from({ length: 20 }, (_, at) =>
        inTurn(async () => {
          await Promise.resolve()
          done.push(at)
        }),
      )
      await Promise.all(works)
      expect(done).toEqual(Array.from({ length: 20 }, (_, at) => at))
    },
  )

  it('lets in whoever has less waiting than another client, which gives up its last place', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 4, waitMs: 60_000, busy })
    const { promise: end, resolve: endFirst } = Promise.withResolvers<void>()
    const done: string[] = []
    const ask = (client: string, name: string, work = Promise.resolve()) =>
      inTurn(async () => {
        await work
        done.push(name)
      }, client).catch(() => done.push(`no ${name}`))
    const flood = [
      ask('a', 'a0', end),
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask('a', name)),
    ]
    const others = ['b1', 'b2', 'c1', 'b3'].map((name) => ask(name.charAt(0), name))
    await Promise.all([flood[5], flood[4], flood[3], others[1], others[3]])
    // Of four places the flood keeps two, like the first two of the others.
    expect(done.toSorted()).toEqual(['no a3', 'no a4', 'no a5', 'no b2', 'no b3'])
    endFirst()
    await Promise.all([...flood, ...others])
    expect(done.slice(5)).toEqual(['a0', 'a1', 'b1', 'c1', 'a2'])
  })

  it('serves clients one after the other', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 20, waitMs: 60_000, busy })
    const done: string[] = []
    const ask = (name: string) =>
      inTurn(async () => {
        await Promise.resolve()
        done.push(name)
      }, name.charAt(0))
    await Promise.all(['a0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(ask))
    expect(done).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
    // What was served long ago puts nobody behind.
    done.length = 0
    await Promise.all(['d0', 'd1', 'a1', 'd2', 'a2'].map(ask))
    expect(done).toEqual(['d0', 'd1', 'a1', 'd2', 'a2'])
  })

  it('gives the turn of a request that was dropped to the next one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] })
    const inTurn = turnsOf({ atOnce: 1, waiting: 1, waitMs: 60_000, busy })
    void inTurn(() => new Promise(() => undefined))
    let isDone = false
    const next = inTurn(async () => (isDone = true))
    await vi.advanceTimersByTimeAsync(9_000)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    await next
    expect(isDone).toBe(true)
  })

  it('refuses what has waited too long', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 1, waitMs: 40, busy })
    const long = inTurn(() => pause(200))
    await expect(inTurn(() => pause(0))).rejects.toMatchObject({ code: 'test.busy' })
    await long
    expect(await inTurn(() => Promise.resolve(1))).toBe(1)
  })

  it('goes on after work that failed', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 0, waitMs: 1000, busy })
    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await inTurn(() => Promise.resolve(1))).toBe(1)
  })
})
