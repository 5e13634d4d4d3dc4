import { detailOf, logEvent } from '../../platform/logger.ts'

// The queue in process. The rows of the table `tasks` are the truth and a message is only a hint, so messages need
// not survive the process: the next tick of the clock finds every task whose message was lost.

type Consume = (batch: MessageBatch<string>) => Promise<void>

export interface TaskQueue {
  /** The binding `TASKS` of the service. */
  binding: Queue
  /** Takes no more messages; fulfilled when all batches that were handed on are done. */
  stop: () => Promise<void>
}

/**
 * Hands on what was sent, outside of the request that sent it. A batch does not wait for the batches before it: whoever consumes
 * them decides what runs at once.
 */
export function openQueue(consume: Consume): TaskQueue {
  /** Messages that are not handed on yet, with the number of their deliveries. */
  const waiting = new Map<string, number>()
  const consuming = new Set<Promise<void>>()
  const delays = new Set<NodeJS.Timeout>()
  let handingOn: NodeJS.Immediate | undefined
  let isStopped = false

  const handOn = () => {
    handingOn = undefined
    const messages = Array.from(waiting, ([body, delivered]) => messageOf(body, delivered + 1))
    waiting.clear()
    const batch = { queue: 'coffer-tasks', messages } as unknown as MessageBatch<string>
    // The clock finds what is left.
    const consumed = consume(batch)
      .catch((error: unknown) => logEvent('error', 'queue.failed', detailOf(error)))
      .finally(() => consuming.delete(consumed))
    consuming.add(consumed)
  }

  const add = (body: string, delivered: number) => {
    if (!isStopped) {
      waiting.set(body, delivered)
      // After what the sender does next, which is to answer.
      handingOn ??= setImmediate(handOn)
    }
  }

  const messageOf = (body: string, attempts: number) => ({
    ...{ body, attempts, ack: nothing },
    retry: ({ delaySeconds = 0 }: QueueRetryOptions = {}) => {
      const delay = setTimeout(() => {
        delays.delete(delay)
        if (!waiting.has(body)) {
          add(body, attempts)
        }
      }, delaySeconds * 1000)
      delays.add(delay.unref())
    },
  })

  const sendBatch = async (messages: Iterable<{ body: string }>) => {
    for (const { body } of messages) {
      add(body, 0)
    }
  }

  const binding = { sendBatch, metrics: async () => ({ backlogCount: waiting.size }) }
  return {
    binding: binding as unknown as Queue,
    stop: async () => {
      isStopped = true
      clearImmediate(handingOn)
      waiting.clear()
      delays.forEach(clearTimeout)
      await Promise.all(consuming)
    },
  }
}

const nothing = () => undefined
