import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { detailOf, logEvent } from '../logger.ts'

/** Messages of one batch. */
const MOST_MESSAGES = 100

/** @throws AppError unavailable when the queue does not answer */
export async function pingQueue({ queue }: Context): Promise<void> {
  await queue.metrics().catch((error: unknown) => {
    throw new AppError(
      'unavailable',
      'service.unavailable',
      'The queue is not available. Try again later.',
      {
        cause: error,
        retryAfter: 2,
      },
    )
  })
}

/** The queue is only a doorbell: the clock finds every task and every event whose ring was lost. */
export async function ring(queue: Queue, messages: string[]): Promise<void> {
  for (let at = 0; at < messages.length; at += MOST_MESSAGES) {
    const some = messages.slice(at, at + MOST_MESSAGES).map((body) => ({ body }))
    await queue
      .sendBatch(some)
      .catch((error: unknown) => logEvent('error', 'queue.notRung', detailOf(error)))
  }
}
