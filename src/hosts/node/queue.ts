import { detailOf, logEvent } from '../../platform/logger.ts'

// The queue in process. The rows of the table `tasks` are the truth and a message is only a hint, so messages need
// not survive the process: the next tick of the clock finds every task whose message was lost.

/** Messages of one batch, as wrangler.toml sets it. */
const BATCH = 10

type Consume = (batch: MessageBatch<string>) => Promise<void>

export interface TaskQueue {
  /** What the service calls `TASKS`. */
  binding: Queue
  /** Takes no more messages; fulfilled when the batch that is being done is done. */
  stop: () => Promise<void>
}

/** One batch is done at a time, outside of the request that sent it. */
export function openQueue(consume: Consume): TaskQueue {
  const waiting = new Set<string>()
  let working: Promise<void> | undefined

  const work = async () => {
    while (waiting.size > 0) {
      const bodies = [...waiting].slice(0, BATCH)
      for (const body of bodies) {
        waiting.delete(body)
      }
      // The clock finds what is left.
      await consume(batchOf(bodies)).catch((error: unknown) =>
        logEvent('error', 'queue.failed', detailOf(error)),
      )
    }
    working = undefined
  }

  let isStopped = false
  const sendBatch = async (messages: Iterable<{ body: string }>) => {
    for (const { body } of isStopped ? [] : messages) {
      waiting.add(body)
    }
    // After what the sender does next, which is to answer.
    working ??= new Promise(setImmediate).then(work)
  }

  const binding = { sendBatch, metrics: async () => ({ backlogCount: waiting.size }) }
  return {
    binding: binding as unknown as Queue,
    stop: async () => {
      isStopped = true
      waiting.clear()
      await working
    },
  }
}

const nothing = () => undefined

function batchOf(bodies: string[]): MessageBatch<string> {
  // What is not acknowledged is left to the clock.
  const messages = bodies.map((body) => ({ body, ack: nothing, retry: nothing }))
  return { queue: 'coffer-tasks', messages } as unknown as MessageBatch<string>
}
