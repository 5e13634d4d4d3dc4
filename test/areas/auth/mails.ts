import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { consume } from '../../../src/platform/tasks.ts'
import { type Service, serviceWith } from '../../support/service.ts'

interface Letter {
  to: string
  subject: string
  text: string
}

interface Mailing extends Service {
  /** Delivers what was ordered since the last time, and gives what a development build says of it. */
  letters: () => Promise<Letter[]>
}

/** A service whose queue is in the hands of the test. */
export function serviceWithMail(variation: Parameters<typeof serviceWith>[0] = {}): Mailing {
  const rung: string[] = []
  const sendBatch = (messages: Iterable<{ body: string }>) => {
    rung.push(...[...messages].map(({ body }) => body))
    return Promise.resolve()
  }
  const TASKS = { sendBatch } as unknown as Queue
  const service = serviceWith({ ...variation, env: { ...variation.env, TASKS } })
  const letters = async () => {
    const spy = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const messages = rung
      .splice(0)
      .map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body }))
    await consume(work, createMessageBatch('coffer-tasks', messages), env)
    const lines = spy.mock.calls.map(([line]) => JSON.parse(String(line)) as Letter & Line)
    spy.mockRestore()
    return lines
      .filter(({ event }) => event === 'mail')
      .map(({ to, subject, text }) => ({ to, subject, text }))
  }
  return { ...service, letters }
}

interface Line {
  event: string
}

/** The code that stands on a line of its own. */
export const codeIn = (letter: Letter | undefined): string =>
  /^ {4}(\S+)$/m.exec(letter?.text ?? '')?.[1] ?? 'none'
