import { describe, expect, it } from 'vitest'
import { fairTurnsOf } from '../../src/platform/work/fair-turns.ts'

/** Work that is noted when it begins, and ends when the test says so. */
function newWorks(atOnce: number) {
  const turns = fairTurnsOf(atOnce)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (id: string) =>
    turns.run(id.replace(/\d+$/, ''), id, async () => {
      begun.push(id)
      await new Promise<void>((resolve) => ends.set(id, resolve))
      return true
    })
  const settle = async () => new Promise((resolve) => setTimeout(resolve, 0))
  const end = async (id: string) => {
    ends.get(id)?.()
    await settle()
  }
  return { turns, begun, run, settle, end }
}

describe('work of many owners', () => {
  it('runs one piece of an owner at a time, however many places there are', async () => {
    const { begun, run, settle, end } = newWorks(3)
    void run('eve1')
    void run('eve2')
    void run('eve3')
    await settle()
    expect(begun).toEqual(['eve1'])
    void run('ada1')
    await settle()
    expect(begun).toEqual(['eve1', 'ada1'])
    await end('eve1')
    expect(begun).toEqual(['eve1', 'ada1', 'eve2'])
  })

  it('lets the owners take turns, in the order in which they came', async () => {
    const { begun, run, settle, end } = newWorks(1)
    for (const id of ['eve1', 'eve2', 'eve3', 'ada1', 'ada2', 'bob1']) {
      void run(id)
    }
    await settle()
    for (let at = 0; at < 6; at++) {
      await end(begun.at(-1) ?? '')
    }
    expect(begun).toEqual(['eve1', 'ada1', 'bob1', 'eve2', 'ada2', 'eve3'])
  })

  it('runs no more at once than there are places', async () => {
    const { begun, run, settle, end } = newWorks(2)
    void run('ada1')
    void run('bob1')
    void run('eve1')
    await settle()
    expect(begun).toEqual(['ada1', 'bob1'])
    await end('bob1')
    expect(begun).toEqual(['ada1', 'bob1', 'eve1'])
  })

  it('adds what waits already once, and runs again what is asked for while it runs', async () => {
    const { begun, run, settle, end } = newWorks(1)
    const all = [run('ada1'), run('ada1'), run('ada1')]
    await settle()
    expect(begun).toEqual(['ada1'])
    await end('ada1')
    await end('ada1')
    expect(await Promise.all(all)).toEqual([true, true, true])
    expect(begun).toEqual(['ada1', 'ada1'])
  })

  it('goes on after work that failed', async () => {
    const { turns, begun, run, settle } = newWorks(1)
    const failing = turns.run('ada', 'ada0', () => Promise.reject(new Error('no')))
    void run('ada1')
    await expect(failing).rejects.toThrow('no')
    await settle()
    expect(begun).toEqual(['ada1'])
  })

  it('begins nothing more once it was stopped', async () => {
    const { turns, begun, run, settle, end } = newWorks(1)
    const [running, waiting] = [run('ada1'), run('ada2')]
    await settle()
    turns.stop()
    expect(await waiting).toBe(false)
    await end('ada1')
    expect([await running, await run('bob1')]).toEqual([true, false])
    expect(begun).toEqual(['ada1'])
  })
})
