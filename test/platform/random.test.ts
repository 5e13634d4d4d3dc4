import { expect, it } from 'vitest'
import { systemPorts } from '../../src/platform/context.ts'

it('gives random bytes in any number, and none of them twice', () => {
  for (const length of [1, 10, 12, 32, 4096, 5000]) {
    expect(systemPorts.random(length)).toHaveLength(length)
  }
  const first = systemPorts.random(10)
  const kept = first.join()
  const seen = new Set(Array.from({ length: 2000 }, () => systemPorts.random(10).join()))
  expect(seen.size).toBe(2000)
  expect(seen.has(new Uint8Array(10).join())).toBe(false)
  expect(seen.has(kept)).toBe(false)
  // What was given stays as it was.
  expect(first.join()).toBe(kept)
})
