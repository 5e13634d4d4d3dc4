import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { enter, manifestOf, type Member, newOperator, sha256 } from '../support/operated.ts'
import { isProof } from '../support/rounds.ts'
import { type NodeProcess, temporaryFolder } from '../support/running.ts'

// A drill with the release itself: a backup while eight users write, restored elsewhere, served there.

const WRITERS = 8
/** How long the users write in all, with backups in the middle, and for how long each rests after a write. */
const [BACKUPS, SECONDS, REST_MS] = isProof ? [5, 30, 0] : [1, 0, 100]

const root = temporaryFolder()
const folder = (name: string) => join(root.path, name)
const operator = newOperator()
const running = new Set<NodeProcess>()
const data = folder('data')
/** The data of a service that has done nothing yet. */
const small = folder('small')
let inviteCode = ''

beforeAll(async () => {
  const { code, printed } = await operator.run(data, ['admin-invite'])
  if (code !== 0) {
    throw new Error(printed)
  }
  inviteCode = /inc_[\w-]+/.exec(printed)?.[0] ?? ''
  cpSync(data, small, { recursive: true })
})

afterAll(async () => {
  await Promise.all([...running].map(({ stop }) => stop()))
  root.remove()
})

async function start(data: string): Promise<NodeProcess> {
  const service = await operator.start(data)
  running.add(service)
  return service
}

async function stop(service: NodeProcess): Promise<void> {
  running.delete(service)
  await service.stop()
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the service has said that it has stored. */
interface Acknowledged {
  email: string
  id: string
  /** Of what was uploaded. */
  sha256?: string
}

/** Writes until told to stop: two transactions, one file, and so on. */
async function write(member: Member, acknowledged: Acknowledged[], isOver: () => boolean) {
  const name = crypto.randomUUID()
  const account = { name, type: 'checking', currency: 'EUR', openingDate: '2026-01-01' }
  const { id: accountId } = await member.ask<{ id: string }>('POST', '/account', account)
  for (let turn = 0; !isOver(); turn++) {
    await wait(REST_MS)
    const { email } = member
    if (turn % 3 === 2) {
      const bytes = new TextEncoder().encode(
        `%PDF-1.7 ${email} ${turn} ${'x'.repeat((turn % 50) * 1000)}`,
      )
      const path = `/attachment?fileName=${turn}.pdf`
      const file = await member.ask<{ id: string; sha256: string }>('POST', path, bytes)
      acknowledged.push({ email, id: file.id, sha256: sha256(bytes) })
    } else {
      const date = '2026-02-03'
      const transaction = { kind: 'expense', accountId, date, amount: `${turn + 1}.25` }
      const { id } = await member.ask<{ id: string }>('POST', '/transaction', transaction)
      acknowledged.push({ email, id })
    }
  }
}

/** A copy of a data folder, as an operator makes it, and what was acknowledged before. */
async function backUp(data: string, target: string, acknowledged: Acknowledged[]) {
  const before = [...acknowledged]
  const { code, printed } = await operator.run(data, ['backup', target])
  expect(code, printed).toBe(0)
  return { target, before, printed, after: [...acknowledged] }
}

function idsIn(data: string): Set<string> {
  const database = new DatabaseSync(join(data, 'coffer.sqlite'), { readOnly: true })
  try {
    const rows = database.prepare(
      'SELECT id FROM transactions UNION ALL SELECT id FROM attachments',
    )
    return new Set(rows.all().map(({ id }) => String(id)))
  } finally {
    database.close()
  }
}

it('a backup of a busy service is whole, and a service on its restored copy goes on from there', async () => {
  let service = await start(data)
  await enter(service.url, 'admin@coffer.test', { inviteCode })
  const names = Array.from({ length: WRITERS }, (_, at) => `writer-${at}@coffer.test`)
  await Promise.all(names.map((email) => enter(service.url, email)))
  // At its start the service seals what is in the log.
  await stop(service)
  service = await start(data)

  const members = await Promise.all(
    names.map((email) => enter(service.url, email, { isKnown: true })),
  )
  const acknowledged: Acknowledged[] = []
  let isOver = false
  const writing = Promise.all(members.map((member) => write(member, acknowledged, () => isOver)))
  const backups = []
  for (let times = 1; times <= BACKUPS; times++) {
    await wait((SECONDS * 1000) / BACKUPS)
    await vi.waitUntil(
      () => acknowledged.length > WRITERS && acknowledged.some(({ sha256: sum }) => sum),
      60_000,
    )
    backups.push(await backUp(data, folder(`backup-${times}`), acknowledged))
  }
  isOver = true
  await writing

  for (const { target, before, after } of backups) {
    expect(before.length, 'there was something before').toBeGreaterThan(WRITERS)
    expect(after.length, 'the users wrote on during the backup').toBeGreaterThan(before.length)
    const ids = idsIn(target)
    expect(before.filter(({ id }) => !ids.has(id))).toEqual([])
    const { files, missing, damaged } = manifestOf(target)
    expect([missing, damaged]).toEqual([[], []])
    const sums = new Set(Object.values(files).map((facts) => facts.sha256))
    expect(before.filter((one) => one.sha256 && !sums.has(one.sha256))).toEqual([])
    expect(statSync(target).mode & 0o777).toBe(0o700)
    expect(statSync(join(target, 'secrets.env')).mode & 0o777).toBe(0o600)
  }

  const { target, before } = backups.at(-1) as (typeof backups)[number]
  const again = folder('again')
  const restored = await operator.run(again, ['restore', target])
  expect(restored.code, restored.printed).toBe(0)
  expect(restored.printed).toContain(
    '0 migrations applied, 0 differences in the ledger and the log.',
  )
  for (const [path, { sha256: sum }] of Object.entries(manifestOf(target).files)) {
    // Opening the database changes two bytes of its header.
    if (path !== 'coffer.sqlite') {
      expect(sha256(readFileSync(join(again, path))), path).toBe(sum)
    }
  }
  expect(idsIn(again)).toEqual(idsIn(target))
  expect(existsSync(join(again, '.restoring'))).toBe(false)
  expect(await operator.run(again, ['check-ledger'])).toMatchObject({ code: 0 })

  const copy = await start(again)
  const file = before.findLast((one) => one.sha256 !== undefined)
  const member = await enter(copy.url, file?.email ?? '', { isKnown: true })
  expect(sha256(await member.download(`/attachment/${file?.id}/download`))).toBe(file?.sha256)
  const admin = await enter(copy.url, 'admin@coffer.test', { isKnown: true })
  const chain = await admin.ask('GET', '/admin/audit-logs/verify')
  expect(chain).toMatchObject({ valid: true, broken: null })
  const later: Acknowledged[] = []
  await write(member, later, () => later.length >= 3)
  expect(later).toHaveLength(3)
})

it('a backup goes into a new or empty folder outside of the data folder, of a service that is there', async () => {
  const other = folder('other')
  const before = readdirSync(small).toSorted()
  const full = folder('full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine'), '')
  const refusals = await Promise.all([
    operator.run(small, ['backup', full]),
    operator.run(small, ['backup', join(small, 'backup')]),
    operator.run(small, ['backup']),
    operator.run(other, ['backup', folder('unused')]),
  ])
  expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1])
  expect(refusals.map(({ printed }) => printed.trim())).toEqual([
    `${full} is not empty. Choose a new folder for the backup.`,
    `${join(small, 'backup')} is in the data folder. Choose a folder elsewhere.`,
    'Name exactly one folder, that of the backup: npm run backup -- FOLDER',
    `There is no database in the data folder ${other}. Set COFFER_DATA to another one.`,
  ])
  expect(readdirSync(small).toSorted()).toEqual(before)
  expect(readdirSync(full)).toEqual(['mine'])
  expect(existsSync(folder('unused'))).toBe(false)
  expect(existsSync(other)).toBe(false)
})

it('a backup says which secrets it does not have', async () => {
  const { printed } = await operator.run(small, ['backup', folder('without')], {
    APP_SECRET: 'from elsewhere',
  })
  expect(printed).toContain('The backup does not have APP_SECRET: keep a copy of them yourself.')
})
