import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailNotifications } from '../../src/areas/identity/notifications/notifications.usecases.ts'
import { readNotifications } from '../../src/areas/identity/notifications/notifications.routes.ts'
import { updatePreferences } from '../../src/areas/data-rights/own-user/own-user.routes.ts'
import { deleteShare } from '../../src/areas/sharing/sharing/sharing.routes.ts'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { openMail } from '../../src/hosts/node/mail.ts'
import { mailJob } from '../../src/platform/outbound/mail.ts'
import { consume } from '../../src/platform/work/tasks.ts'
import { ok, rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { confirm } from '../support/stored.ts'
import { newAccount, newUser } from '../support/world.ts'
import { listed, tell } from '../areas/notifications/notifications.fixtures.ts'
import { share } from '../areas/sharing/sharing.ts'

const MINUTE = 60_000
/** A window of a quarter of an hour begins. */
const NOW = Date.UTC(2026, 10, 20, 12)

const received: { to: string[]; text: string }[] = []
let server: SMTPServer
let bindings: Bindings

/** A mail server on loopback. */
beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, callback) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.once('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        callback()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const MAIL = openMail(`smtp://127.0.0.1:${port}`)
  bindings = { ...env, MAIL, MAIL_FROM: 'coffer@home.example' }
})
afterAll(() => new Promise<void>((end) => server.close(() => end())))

/** Lets a scheduled run order what is due at a time, and the queue send it; gives the mails to somebody. */
async function mailsTo({ email }: { email: string }, now: number): Promise<string[]> {
  const rung: string[] = []
  const ring = (ids: string[]) => void rung.push(...ids)
  await mailNotifications(contextWith({ now, settings: settingsOf(bindings), ring }))
  const messages = rung.map((body) => ({ id: body, timestamp: new Date(), attempts: 1, body }))
  const work = { jobs: [mailJob], schedule: {} }
  await consume(work, createMessageBatch('coffer-tasks', messages), bindings)
  return received.splice(0).flatMap(({ to, text }) => (to.includes(email) ? [text] : []))
}

const BY_MAIL = { 'account.balanceLow': 'mail', 'transaction.large': 'mail' } as const

async function mailed() {
  const me = await newUser()
  await confirm(me)
  await ok(updatePreferences, { as: me, json: { notifications: BY_MAIL } })
  const account = await newAccount(me, { name: 'Nest egg' })
  const say = (kind: keyof typeof BY_MAIL | 'budget.overspent' = 'account.balanceLow', at = NOW) =>
    tell(me, { kind, resourceType: 'account', resourceId: account.id }, at)
  return { me, account, say }
}

describe('a mail about notifications', () => {
  it('tells of all of a quarter of an hour at once, and of nothing that somebody typed', async () => {
    const { me, account, say } = await mailed()
    await say('account.balanceLow', NOW + MINUTE)
    await say('transaction.large', NOW + 14 * MINUTE)
    expect(await mailsTo(me, NOW + 14 * MINUTE)).toEqual([])
    const [text = '', ...others] = await mailsTo(me, NOW + 15 * MINUTE)
    expect(others).toEqual([])
    expect(text).toContain('Subject: You have new notifications on Coffer')
    for (const secret of ['Nest egg', account.id, 'balance', 'EUR', 'Ada', me.id]) {
      expect(text).not.toContain(secret)
    }
    expect(await mailsTo(me, NOW + 20 * MINUTE)).toEqual([])
    await say('account.balanceLow', NOW + 16 * MINUTE)
    expect(await mailsTo(me, NOW + 30 * MINUTE)).toHaveLength(1)
    expect(await listed(me)).toHaveLength(2)
  })

  it('is sent only of kinds for which it is wanted', async () => {
    const { me, say } = await mailed()
    await say('budget.overspent')
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
    const json = { notifications: { 'account.balanceLow': 'app', 'transaction.large': 'off' } }
    await ok(updatePreferences, { as: me, json: json as never })
    await say('account.balanceLow')
    await say('transaction.large')
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
  })

  it('is not sent of what was read, or is visible no more', async () => {
    const { me, say } = await mailed()
    const upTo = await say()
    await ok(readNotifications, { as: me, json: { upTo } })
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
    const owner = await newUser()
    const account = await newAccount(owner)
    const { id } = await share(owner, account, me)
    const news = { kind: 'account.balanceLow', resourceType: 'account' } as const
    await tell(me, { ...news, resourceId: account.id }, NOW)
    await ok(deleteShare, { as: owner, id })
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
    expect(await rows('SELECT 1 FROM notifications WHERE mail_due IS NOT NULL')).toEqual([])
  })

  it('goes to nobody whose address is not confirmed', async () => {
    const { me, say } = await mailed()
    await rows('UPDATE users SET email_verified_at = NULL WHERE id = ?', me.id)
    await say()
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
    await confirm(me)
    expect(await mailsTo(me, NOW + 15 * MINUTE)).toEqual([])
  })

  it('waits while there is no mail server, and is sent once by runs that overlap', async () => {
    const { me, say } = await mailed()
    await say()
    const settings = { ...settingsOf(bindings), mailer: { kind: 'unbound' as const } }
    await mailNotifications(contextWith({ now: NOW + 15 * MINUTE, settings }))
    const runs = [1, 2, 3].map(() => mailsTo(me, NOW + 40 * MINUTE))
    expect((await Promise.all(runs)).flat()).toHaveLength(1)
  })
})
