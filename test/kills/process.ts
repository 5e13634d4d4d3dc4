import '../../scripts/lib/dev-globals.ts'
import type { Machine } from './machine.ts'

// A machine as a process of its own, which kills itself ahead of a call. Its argument is JSON.

const { machine, now, at } = JSON.parse(process.argv[2] ?? '') as {
  machine: Omit<Machine, 'around'>
  now: number
  at: number
}
const { workOnce } = await import('./machine.ts')

let calls = 0
await workOnce(
  {
    ...machine,
    around: async (call) => {
      calls += 1
      if (calls === at) {
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => undefined)
      }
      return call()
    },
  },
  now,
)
