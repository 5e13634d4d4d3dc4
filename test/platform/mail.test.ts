import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { commit } from '../../src/platform/database/database.ts'
import {
  forgetMailsTo,
  mailJob,
  mailTask,
  warnOfUnboundMail,
} from '../../src/platform/outbound/mail.ts'
import type { Mail } from '../../src/platform/outbound/mail-templates.ts'
import { consume } from '../../src/platform/work/tasks.ts'
import { rows } from '../support/api.ts'
import { testDone } from '../support/events.ts'
import { contextWith } from '../support/service.ts'

const MINUTE = 60_000
const work = { jobs: [mailJob], schedule: {} }

interface TaskRow {
  id: string
  payload: string
  state: string
  attempts: number
  max_attempts: number
  error: string | null
}

const newMail = (): Mail => ({
  to: `${crypto.randomUUID()}@coffer.test`,
  template: 'passwordReset',
  values: { token: crypto.randomUUID(), minutes: 30 },
})

/** Commits a change that needs the mail; gives the id of its task. */
async function order(mail: Mail): Promise<string> {
  const rung: string[] = []
  const ctx = contextWith({ ring: (ids) => void rung.push(...ids) })
  await commit(ctx, {
    changes: [testDone(null)],
    tasks: [await mailTask(ctx, mail)],
    result: undefined,
  })
  return rung[0] ?? ''
}

async function taskRow(id: string): Promise<TaskRow> {
  const [task] = await rows<TaskRow>('SELECT * FROM tasks WHERE id = ?', id)
  expect(task).toBeDefined()
  return task as TaskRow
}

/** Lets the queue deliver the task. */
async function deliver(id: string, bindings: Bindings = env, now = Date.now()) {
  const batch = createMessageBatch('coffer-tasks', [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: id },
  ])
  await consume(work, batch, bindings, { ...systemPorts, now: () => now })
}

/** What the log says from now on. */
function listen() {
  const spy = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  return {
    text: () => spy.mock.calls.flat().join('\n'),
    events: (event: string) =>
      spy.mock.calls
        .map(([line]) => JSON.parse(String(line)) as Record<string, string>)
        .filter((line) => line['event'] === event),
  }
}
afterEach(() => vi.restoreAllMocks())

type Sent = Parameters<SendEmail['send']>[0]

/** A mail binding that keeps what it is given, after so many failures. */
function mailbox({ failures = 0 } = {}) {
  const sent: Sent[] = []
  let tries = 0
  const send = (message: Sent) => {
    tries += 1
    if (tries <= failures) {
      const refused = new Error('refused: somebody@coffer.test')
      return Promise.reject(Object.assign(refused, { code: 'E_RATE_LIMIT_EXCEEDED' }))
    }
    sent.push(message)
    return Promise.resolve({ messageId: 'm' })
  }
  const bindings = { ...env, MAIL: { send } as SendEmail, MAIL_FROM: 'coffer@example.com' }
  return { sent, bindings }
}

describe('a mail', () => {
  it('is written to the log of a development build, once its commit is there', async () => {
    const mail = newMail()
    const log = listen()
    const id = await order(mail)
    expect(log.events('mail')).toEqual([])
    await deliver(id)
    const [said] = log.events('mail')
    expect(said).toMatchObject({ to: mail.to, subject: 'Set a new password for Coffer' })
    expect(said?.['text']).toContain('token' in mail.values && mail.values.token)
    expect((await taskRow(id)).state).toBe('succeeded')
  })

  it('is sent once, however often the queue delivers', async () => {
    const { sent, bindings } = mailbox()
    const mail = newMail()
    const id = await order(mail)
    await deliver(id, bindings)
    await deliver(id, bindings)
    expect(sent).toEqual([
      {
        from: { name: 'Coffer', email: 'coffer@example.com' },
        to: mail.to,
        subject: 'Set a new password for Coffer',
        text: expect.stringContaining('30 minutes'),
      },
    ])
  })

  it('shows neither address nor token in its task, and is gone from it once it is sent', async () => {
    const mail = newMail()
    const id = await order(mail)
    const before = await taskRow(id)
    await deliver(id, mailbox().bindings)
    const after = await taskRow(id)
    for (const { payload } of [before, after]) {
      expect(payload).not.toContain(mail.to)
      expect(payload).not.toContain('token' in mail.values && mail.values.token)
      expect(JSON.parse(payload)).toMatchObject({ template: 'passwordReset' })
    }
    expect(JSON.parse(before.payload).sealed).toMatch(/^v1\.[\w-]{8}\./)
    expect(JSON.parse(after.payload).sealed).toBeUndefined()
    const logged = await rows<{ changes: string | null }>(
      'SELECT content AS changes FROM log_entries',
    )
    expect(JSON.stringify(logged)).not.toContain(mail.to)
  })

  it('can be forgotten by its address, sent or not, and those to others stay', async () => {
    const [mail, other] = [newMail(), newMail()]
    const [sent, waiting, kept] = [await order(mail), await order(mail), await order(other)]
    await deliver(sent, mailbox().bindings)
    const ctx = contextWith()
    await commit(ctx, {
      changes: [testDone(null, await forgetMailsTo(ctx, mail.to.toUpperCase()))],
      result: undefined,
    })
    const ids = JSON.stringify([sent, waiting, kept])
    const left = await rows<TaskRow>(
      'SELECT * FROM tasks WHERE id IN (SELECT value FROM json_each(?))',
      ids,
    )
    expect(left.map(({ id }) => id)).toEqual([kept])
  })

  it('does not open in the task of another mail', async () => {
    const [one, other] = await Promise.all([order(newMail()), order(newMail())])
    const { sealed } = JSON.parse((await taskRow(other)).payload)
    await rows(
      "UPDATE tasks SET payload = json_set(payload, '$.sealed', ?) WHERE id = ?",
      sealed,
      one,
    )
    const { sent, bindings } = mailbox()
    await deliver(one, bindings)
    expect(sent).toEqual([])
    expect((await taskRow(one)).error).toBe('secrets.unreadable')
  })

  it('is tried again when sending fails, and the log names nobody', async () => {
    const { sent, bindings } = mailbox({ failures: 2 })
    const mail = newMail()
    const id = await order(mail)
    const log = listen()
    const start = Date.now()
    await deliver(id, bindings, start)
    expect(await taskRow(id)).toMatchObject({ state: 'queued', error: 'mail.failed', attempts: 1 })
    await deliver(id, bindings, start + MINUTE)
    await deliver(id, bindings, start + MINUTE)
    expect(sent).toEqual([])
    await deliver(id, bindings, start + 5 * MINUTE)
    expect(sent).toHaveLength(1)
    expect((await taskRow(id)).state).toBe('succeeded')
    expect(log.events('mail.failed')).toEqual([
      { level: 'error', event: 'mail.failed', reason: 'E_RATE_LIMIT_EXCEEDED' },
      { level: 'error', event: 'mail.failed', reason: 'E_RATE_LIMIT_EXCEEDED' },
    ])
    expect(log.text()).not.toContain('@')
  })

  it('is given up after five failures, and can still be sent from its row', async () => {
    const { sent, bindings } = mailbox({ failures: 5 })
    const id = await order(newMail())
    listen()
    for (let at = Date.now(), tries = 0; tries < 5; tries++, at += 300 * MINUTE) {
      await deliver(id, bindings, at)
    }
    expect((await taskRow(id)).state).toBe('dead')
    await rows("UPDATE tasks SET state = 'queued', max_attempts = 6 WHERE id = ?", id)
    await deliver(id, bindings, Date.now() + 3000 * MINUTE)
    expect(sent).toHaveLength(1)
  })
})

describe('a service that cannot send mail', () => {
  /** As a release build without MAIL sees itself. */
  function unbound(): Bindings {
    const bindings = { ...env }
    settingsOf(bindings).mailer = { kind: 'unbound' }
    return bindings
  }

  it('keeps every mail until it can', async () => {
    const { sent, bindings } = mailbox({ failures: 1 })
    const id = await order(newMail())
    listen()
    const withoutMail = unbound()
    let at = Date.now()
    for (let tries = 0; tries < 20; tries++, at += 300 * MINUTE) {
      await deliver(id, withoutMail, at)
    }
    const waiting = { state: 'queued', error: 'mail.unbound', attempts: 20, max_attempts: 25 }
    expect(await taskRow(id)).toMatchObject(waiting)
    await deliver(id, bindings, at)
    expect((await taskRow(id)).state).toBe('queued')
    await deliver(id, bindings, at + 300 * MINUTE)
    expect(sent).toHaveLength(1)
  })

  it('says so once', () => {
    const log = listen()
    const settings = settingsOf(unbound())
    warnOfUnboundMail(settings)
    warnOfUnboundMail(settings)
    warnOfUnboundMail(settingsOf(env))
    expect(log.events('mail.unbound')).toHaveLength(1)
    expect(log.text()).toContain('MAIL_FROM')
  })

  it.each([undefined, '', 'coffer', 'Coffer <coffer@example.com>'])(
    'has MAIL bound but not an address to send from: %s',
    (from) => {
      const { MAIL } = mailbox().bindings
      const bindings = { ...env, MAIL, ...(from === undefined ? {} : { MAIL_FROM: from }) }
      expect(() => settingsOf(bindings)).toThrow('not configured correctly')
    },
  )
})

describe('a letter', () => {
  it.each<Mail>([
    { to: 'a@b.test', template: 'passwordReset', values: { token: 'tok_1', minutes: 30 } },
    { to: 'a@b.test', template: 'emailVerification', values: { token: 'tok_1', hours: 24 } },
    { to: 'a@b.test', template: 'passwordChanged', values: { at: Date.UTC(2026, 10, 21, 1, 45) } },
  ])('of $template says what to do', async (mail) => {
    const { sent, bindings } = mailbox()
    await deliver(await order(mail), bindings)
    const { subject, text } = sent[0] as { subject: string; text: string }
    expect(subject).toMatch(/^[\x20-\x7e]{10,60}$/)
    expect(text).toContain('token' in mail.values ? '\n    tok_1\n' : '2026-11-21 01:45 (UTC)')
    expect(text).not.toContain('undefined')
  })
})
