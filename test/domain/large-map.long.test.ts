import { describe, expect, it } from 'vitest'
import { LargeMap, LargeSet } from '../../src/domain/large-map.ts'

const MANY = 120_000
const keys = Array.from({ length: MANY }, (_, at) => `key ${at}`)

describe('a large map', () => {
  it('is a map, however many entries it has', () => {
    const map = new LargeMap<string, number>()
    expect([map.size, map.get('key 0'), map.has('key 0')]).toEqual([0, undefined, false])
    for (const [at, key] of keys.entries()) {
      map.set(key, at)
    }
    map.set('key 7', -7)
    map.set('key 119999', -1)
    expect(map.size).toBe(MANY)
    expect([map.get('key 7'), map.get('key 60000'), map.get('key 119999')]).toEqual([
      -7, 60_000, -1,
    ])
    expect([map.has('key 60000'), map.has('key'), map.get('key')]).toEqual([true, false, undefined])
    expect([...map.keys()]).toEqual(keys)
    expect([...map.values()].slice(6, 9)).toEqual([6, -7, 8])
  })

  it('forgets what is deleted', () => {
    const map = new LargeMap<string, number>()
    for (const [at, key] of keys.entries()) {
      map.set(key, at)
    }
    map.delete('key 3')
    map.delete('key 119999')
    map.delete('key')
    expect([map.size, map.has('key 3'), map.has('key 119999')]).toEqual([MANY - 2, false, false])
  })

  it('knows that it has a key without a value', () => {
    const map = new LargeMap<string, number | undefined>()
    map.set('a', undefined)
    map.set('a', undefined)
    expect([map.has('a'), map.size]).toEqual([true, 1])
  })
})

it('a large set has each item once, in the order in which they came', () => {
  const set = new LargeSet<string>()
  for (const key of [...keys, ...keys]) {
    set.add(key)
  }
  expect([set.size, set.has('key 1'), set.has('key')]).toEqual([MANY, true, false])
  expect([...set]).toEqual(keys)
})
