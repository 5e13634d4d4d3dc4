import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { work } from '../../../src/areas/index.ts'
import { settingsOf } from '../../../src/env.ts'
import { openSecret } from '../../../src/platform/secrets/key-ring.ts'
import { letterOf, type Mail } from '../../../src/platform/outbound/mail-templates.ts'
import { MAIL_RECORDS, placeIn } from '../../../src/platform/secrets/sealed-columns.ts'
import { consume } from '../../../src/platform/work/tasks.ts'
import { rows } from '../../support/api.ts'
import { type Service, serviceWith } from '../../support/service.ts'

interface Letter {
  to: string
  subject: string
  text: string
}

interface Mailing extends Service {
  /** What was ordered since the last time, which is then delivered. */
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
    const ids = rung.splice(0)
    const ordered = await lettersOf(ids)
    const messages = ids.map((body) => ({ id: body, timestamp: new Date(), attempts: 1, body }))
    await consume(work, createMessageBatch('coffer-tasks', messages), env)
    return ordered
  }
  return { ...service, letters }
}

/** Of these tasks those that are mails: from their own rows, as the log has those of everybody. */
export async function lettersOf(ids: string[]): Promise<Letter[]> {
  const found = await rows<{ payload: string }>(
    "SELECT payload FROM tasks WHERE kind = 'mail.send' AND id IN (SELECT value FROM json_each(?)) ORDER BY rowid",
    JSON.stringify(ids),
  )
  return Promise.all(
    found.map(async ({ payload }) => {
      const { id, sealed } = JSON.parse(payload) as { id: string; sealed: string }
      const place = placeIn(MAIL_RECORDS, id)
      const mail = JSON.parse(
        await openSecret({ settings: settingsOf(env) }, place, sealed),
      ) as Mail
      return { to: mail.to, ...letterOf(mail) }
    }),
  )
}

/** The code that stands on a line of its own. */
export const codeIn = (letter: Letter | undefined): string =>
  /^ {4}(\S+)$/m.exec(letter?.text ?? '')?.[1] ?? 'none'
