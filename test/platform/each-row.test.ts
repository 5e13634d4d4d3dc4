import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { forAllRows, forEachRow } from '../../src/platform/work/each-row.ts'
import { taskTaken } from '../../src/platform/work/task-rows.ts'
import { serviceErrors } from '../../src/platform/platform.errors.ts'
import { contextWith } from '../support/service.ts'
import { undoneBy } from '../support/undone.ts'

const rows = ['one', 'two', 'three'].map((id) => ({ id }))
const attempt = (number: number) =>
  contextWith({ task: { id: 'tsk_1', attempt: number, createdBy: null } })

/** Fails for the second row. */
const failing =
  (done: string[], error: unknown) =>
  ({ id }: { id: string }) => {
    if (id === 'two') {
      throw error
    }
    done.push(id)
  }

describe('work on each row', () => {
  it('goes on after a row that it fails for, logs it, and puts it back', async () => {
    const [done, back]: [string[], string[]] = [[], []]
    const logged = await undoneBy(() =>
      forEachRow(
        contextWith(),
        { work: 'test', rows, putBack: ({ id }) => back.push(id) },
        failing(done, new TypeError('“Müller” is no number')),
      ),
    )
    expect([done, back]).toEqual([['one', 'three'], ['two']])
    expect(logged).toMatchObject([
      { level: 'error', work: 'test', id: 'two', code: 'service.failed', cause: 'TypeError' },
    ])
    expect(JSON.stringify(logged)).not.toContain('Müller')
  })

  it('logs what the database says, and the code of a refusal', async () => {
    const broken = serviceErrors.failed({ cause: new Error('FOREIGN KEY constraint failed') })
    for (const [error, line] of [
      [broken, { code: 'service.failed', cause: 'FOREIGN KEY constraint failed' }],
      [new AppError('conflict', 'test.refused', 'No.'), { code: 'test.refused' }],
    ] as const) {
      const logged = await undoneBy(() =>
        forEachRow(contextWith(), { work: 'test', rows }, failing([], error)),
      )
      expect(logged).toMatchObject([line])
    }
  })

  it('ends when another run has its task', async () => {
    const done: string[] = []
    const ended = forEachRow(attempt(1), { work: 'test', rows }, failing(done, taskTaken()))
    await expect(ended).rejects.toMatchObject({ code: 'tasks.taken' })
    expect(done).toEqual(['one'])
  })

  it.each([
    ['does not answer', serviceErrors.unavailable({ retryAfter: 2 })],
    [
      'fails in a way of its own',
      serviceErrors.failed({ cause: new Error('the machine is gone') }),
    ],
  ])('is tried once more when the database %s, and then goes on', async (_, error) => {
    const done: string[] = []
    const first = forEachRow(attempt(1), { work: 'test', rows }, failing(done, error))
    await expect(first).rejects.toBe(error)
    await forEachRow(attempt(2), { work: 'test', rows }, failing(done, error))
    expect(done).toEqual(['one', 'one', 'three'])
  })

  it('ends when a row cannot be put back', async () => {
    const putBack = () => {
      throw new Error('gone')
    }
    const work = { work: 'test', rows, putBack }
    await expect(forEachRow(contextWith(), work, failing([], new Error()))).rejects.toThrow('gone')
  })
})

describe('work on all rows', () => {
  const together = (calls: string[][], error: unknown) => (some: readonly { id: string }[]) => {
    const ids = some.map(({ id }) => id)
    calls.push(ids)
    return ids.includes('two') ? Promise.reject(error) : Promise.resolve()
  }

  it('is done at once, and on each by itself where that fails', async () => {
    const calls: string[][] = []
    const logged = await undoneBy(() =>
      forAllRows(contextWith(), { work: 'test', rows }, together(calls, new Error())),
    )
    expect(calls).toEqual([['one', 'two', 'three'], ['one'], ['two'], ['three']])
    expect(logged.map(({ id }) => id)).toEqual(['two'])
    const others: string[][] = []
    const work = { work: 'test', rows: [rows[0], rows[2]].flatMap((row) => row ?? []) }
    await forAllRows(contextWith(), work, together(others, new Error()))
    expect(others).toEqual([['one', 'three']])
  })

  it('does nothing without rows', async () => {
    const calls: string[][] = []
    await forAllRows(contextWith(), { work: 'test', rows: [] }, together(calls, new Error()))
    expect(calls).toEqual([])
  })
})
