import { and, eq, sql } from 'drizzle-orm'
import { tasks } from '../../../drizzle/schema/system.ts'
import { addressKey } from '../../domain/email.ts'
import type { Mailer, Settings } from '../../env.ts'
import { type Context, freshId } from '../context.ts'
import { macText } from '../secrets/crypto.ts'
import { commit } from '../database/database.ts'
import { openSecret, sealSecret } from '../secrets/key-ring.ts'
import { logEvent } from '../logger.ts'
import { letterOf, type Mail } from './mail-templates.ts'
import { mailErrors } from '../platform.errors.ts'
import { defineJob, payloadText } from '../work/payloads.ts'
import { mailEvents } from '../log/platform-events.ts'
import { MAIL_RECORDS, placeIn } from '../secrets/sealed-columns.ts'
import { db, jsonFieldOf, type Statement } from '../database/statements.ts'
import type { NewTask } from '../work/task-rows.ts'

// A mail is a task, stored by the commit that needs it: it is sent if and only if the commit holds. Task
// rows are kept and shown to administrators, so whom it goes to and what it says is sealed, and is taken
// out of the row once the mail is gone.

const KIND = 'mail.send'

interface Payload {
  id: string
  /** A summary for readers of the row; the mail is made from the sealed record alone. */
  template: string
  /** Keyed hash of the address: finds the mails of somebody who is to be forgotten. */
  to: string
  sealed: string
}

/** The task that sends the mail: for the `tasks` of the commit that needs it. */
export async function mailTask(ctx: Context, mail: Mail): Promise<NewTask> {
  const id = freshId(ctx, 'mal')
  const sealed = await sealSecret(ctx, placeIn(MAIL_RECORDS, id), JSON.stringify(mail))
  const payload: Payload = { id, template: mail.template, to: hashOf(ctx, mail.to), sealed }
  return { kind: KIND, payload: { ...payload }, summary: mail.template, dedupeKey: id }
}

const hashOf = (ctx: Context, address: string) =>
  macText(ctx.settings.appSecret, 'mail-to', addressKey(address))

/**
 * Takes back what was not sent yet, and every trace of what was.
 * @param orderedBy whose mails alone; without it, everybody's
 */
export async function forgetMailsTo(
  ctx: Context,
  address: string,
  orderedBy?: string,
): Promise<Statement[]> {
  const to = hashOf(ctx, address)
  const isOrdered = orderedBy === undefined ? undefined : eq(tasks.createdBy, orderedBy)
  const isTo = sql`${jsonFieldOf(tasks.payload, 'to')} = ${to}`
  // In a list: a query alone is a promise, which would be awaited here.
  return [db.delete(tasks).where(and(eq(tasks.kind, KIND), isTo, isOrdered))]
}

const NOT_BOUND = mailErrors.unbound().code

/** Refuses what is of no use without the mail that it sends. */
export function requireMail({ settings }: Context): void {
  if (settings.mailer.kind === 'unbound') {
    throw mailErrors.unbound()
  }
}

/** Sends at least once: when the answer to a sending is lost, the mail goes out again. */
export const mailJob = defineJob({
  kind: KIND,
  waitsFor: [NOT_BOUND],
  payload: { id: payloadText, sealed: payloadText },
  run: async (ctx, { id, sealed }, finish) => {
    const mail = JSON.parse(await openSecret(ctx, placeIn(MAIL_RECORDS, id), sealed)) as Mail
    await deliver(ctx.settings.mailer, mail)
    await commit(ctx, {
      changes: [
        {
          statements: [forgetRecord(id), ...finish],
          events: [mailEvents.sent({ id }, { template: mail.template })],
        },
      ],
      result: undefined,
    })
  },
})

const forgetRecord = (id: string) =>
  db
    .update(tasks)
    .set({ payload: sql`json_remove(${tasks.payload}, '$.sealed')` })
    .where(eq(tasks.dedupeKey, id))

async function deliver(mailer: Mailer, mail: Mail): Promise<void> {
  const letter = { to: mail.to, ...letterOf(mail) }
  switch (mailer.kind) {
    case 'log':
      logEvent('info', 'mail', letter)
      return
    case 'unbound':
      throw mailErrors.unbound()
    case 'bound':
      await send(mailer, letter)
  }
}

async function send(
  { binding, from }: Mailer & { kind: 'bound' },
  letter: { to: string; subject: string; text: string },
): Promise<void> {
  try {
    await binding.send({ from: { name: 'Coffer', email: from }, ...letter })
  } catch (cause) {
    // The message may repeat the address, so it goes no further; the code does not.
    const { code = 'unknown' } = cause as { code?: unknown }
    logEvent('error', 'mail.failed', { reason: String(code) })
    throw mailErrors.failed()
  }
}

const reported = new WeakSet<Settings>()

/** Says once per isolate that mails are waiting for an operator. */
export function warnOfUnboundMail(settings: Settings): void {
  if (settings.mailer.kind === 'unbound' && !reported.has(settings)) {
    reported.add(settings)
    const remedy =
      'Every mail waits until SMTP_URL (on Node) or MAIL (on Cloudflare) and MAIL_FROM are set.'
    logEvent('error', NOT_BOUND, { remedy })
  }
}
