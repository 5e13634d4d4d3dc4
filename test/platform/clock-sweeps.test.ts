import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { tick } from '../../src/platform/work/tasks.ts'

it('does with every tick all that is swept, also after what fails', async () => {
  const done: string[] = []
  const sweeps = [
    () => Promise.resolve(done.push('first')),
    () => Promise.reject(new Error('broken')),
    () => Promise.resolve(done.push('last')),
  ]
  await tick({ jobs: [], schedule: {}, sweeps }, 'every now and then', env)
  expect(done).toEqual(['first', 'last'])
})
