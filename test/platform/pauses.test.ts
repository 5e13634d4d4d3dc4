import { expect, it } from 'vitest'
import { pauseRegularly, runWithPauses } from '../../src/platform/work/pauses.ts'

/** Work of so many pieces that take so long each; the pauses by the piece before them. */
async function pausesOf(pieces: number, ms: number, standsStill = false) {
  let [clock, hidden] = [100, 0]
  const pauses: number[] = []
  let done = 0
  const pause = pauseRegularly(
    () => clock,
    async () => {
      pauses.push(done)
      clock += hidden
      hidden = 0
    },
  )
  const steps = function* () {
    while (done < pieces) {
      done += 1
      clock += standsStill ? 0 : ms
      hidden += standsStill ? ms : 0
      yield undefined
    }
    return 'done'
  }
  expect(await runWithPauses(steps(), pause)).toBe('done')
  return pauses
}

it('work pauses after ten milliseconds, and not for less', async () => {
  expect(await pausesOf(100, 2)).toEqual(Array.from({ length: 20 }, (_, at) => (at + 1) * 5))
  expect(await pausesOf(9, 1)).toEqual([])
  expect(await pausesOf(3, 40)).toEqual([1, 2, 3])
})

it('work pauses after each piece where the clock stands still meanwhile', async () => {
  expect(await pausesOf(4, 1, true)).toEqual([1, 2, 3, 4])
})
