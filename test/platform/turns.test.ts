import { describe, expect, it } from 'vitest'
import type { AppError } from '../../src/domain/errors.ts'
import { turnsOf } from '../../src/platform/turns.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('work in turns', () => {
  it('does two at once, lets three wait, and refuses the others at once', async () => {
    const inTurn = turnsOf({ atOnce: 2, waiting: 3, waitMs: 5000 })
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
    expect([kind, code, retryAfter]).toEqual(['unavailable', 'service.busy', 2])
    expect(await work()).toBe('done')
  })

  it('refuses what has waited too long', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 1, waitMs: 40 })
    const long = inTurn(() => pause(200))
    await expect(inTurn(() => pause(0))).rejects.toMatchObject({ code: 'service.busy' })
    await long
    expect(await inTurn(() => Promise.resolve(1))).toBe(1)
  })

  it('goes on after work that failed', async () => {
    const inTurn = turnsOf({ atOnce: 1, waiting: 0, waitMs: 1000 })
    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await inTurn(() => Promise.resolve(1))).toBe(1)
  })
})
