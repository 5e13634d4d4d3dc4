import { type FairTurns, fairTurnsOf } from './fair-turns.ts'

/** The turns of tasks and of readers: on Node those of the whole process, on Workers those of one invocation. */
export interface Lanes {
  tasks: FairTurns
  readers: FairTurns
  /** Begins nothing more. */
  stop: () => void
}

/** Two, so that the tasks of one user do not hold up those of others, and no more, as an isolate has 128 MB of memory. */
const TASKS_AT_ONCE = 2

export function openLanes(tasksAtOnce = TASKS_AT_ONCE): Lanes {
  const [tasks, readers] = [fairTurnsOf(tasksAtOnce), fairTurnsOf(1)]
  return {
    tasks,
    readers,
    stop: () => {
      tasks.stop()
      readers.stop()
    },
  }
}
