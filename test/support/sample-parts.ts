import { env } from 'cloudflare:workers'
import { stepAt, totpOf } from '../../src/areas/identity/auth/auth.rules.ts'
import type { OperationEntry } from '../../src/http/registry.ts'
import { sha256Text } from '../../src/platform/secrets/crypto.ts'
import { fetchRaw, type Principal, rows } from './api.ts'
import { newUser, type TestUser } from './world.ts'
import { someId } from './of-file.ts'

// What the samples are made of and sent with.

export const totpNow = (secret: string) => totpOf(secret, stepAt(Date.now()))

export async function beginTotp(as: TestUser): Promise<{ secret: string }> {
  const response = await send(as, 'POST', '/auth/mfa/totp', { password: as.password })
  return (await response.json()) as { secret: string }
}

/** A backup that was made. */
export async function backupOf({ id: userId }: TestUser): Promise<string> {
  const id = someId('bak')
  await env.FILES.put(`archives/${id}`, 'an archive')
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, object_key, size, sha256, expires_at, created_at,
        updated_at)
      VALUES (?1, 'backup', ?2, 'ready', 'archives/' || ?1, 10, 'x', 4e12, 0, 0)`,
    id,
    userId,
  )
  return id
}

/** A restore of a backup that is ready, which no task goes on with; without one, a restore that has ended. */
export async function restoreOf({ id: userId }: TestUser, backupId?: string): Promise<string> {
  const id = someId('rst')
  const [made] = await rows<{ key: string; size: number }>(
    'SELECT object_key AS key, size FROM archives WHERE id = ?',
    backupId ?? '',
  )
  await rows(
    `INSERT INTO restores (id, owner_id, state, dry_run, size, sha256, objects, created_at, updated_at)
      VALUES (?, ?, ?, 0, ?, '', ?, 0, 0)`,
    id,
    userId,
    made ? 'checking' : 'done',
    made?.size ?? 0,
    JSON.stringify(made ? [{ objectKey: made.key, size: made.size }] : []),
  )
  return id
}

/** An export of the log, ready to be downloaded. */
export async function exportOf({ id: userId }: TestUser): Promise<string> {
  const id = someId('exp')
  await env.FILES.put(`archives/${id}`, 'an archive')
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, filter, object_key, size, sha256, expires_at,
        created_at, updated_at)
      VALUES (?1, 'auditLog', ?2, 'ready', '{"format":"csv"}', 'archives/' || ?1, 10, 'x', 4e12, 0, 0)`,
    id,
    userId,
  )
  return id
}

/** An export of some data, ready to be downloaded. */
export async function dataExportOf({ id: userId }: TestUser): Promise<string> {
  const id = someId('exp')
  const filter = {
    format: 'csv',
    options: {},
    scope: { shared: false, what: ['transactions'] },
    accountIds: [],
    restrictedTo: null,
  }
  await env.FILES.put(`archives/${id}`, 'an archive')
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, filter, object_key, size, sha256, expires_at,
        created_at, updated_at)
      VALUES (?1, 'export', ?2, 'ready', ?3, 'archives/' || ?1, 10, 'x', 4e12, 0, 0)`,
    id,
    userId,
    JSON.stringify(filter),
  )
  return id
}

/** A one-time token of another user, as a mail would bring it. */
export async function tokenFor(purpose: string): Promise<string> {
  const { id } = await newUser()
  const token = `${purpose} ${id}`
  await rows(
    `INSERT INTO one_time_tokens (token_hash, purpose, user_id, created_at, expires_at)
      VALUES (?, ?, ?, 0, 9e15)`,
    sha256Text(token),
    purpose,
    id,
  )
  return token
}

/** Tasks for later, so that nobody does them: one that waits, one that runs, one that is dead. */
export const tasksOf = ({ id: userId }: TestUser): Promise<[string, string, string]> => {
  const task = async (state: string, cancellable = 1) => {
    const id = someId('tsk')
    await rows(
      `INSERT INTO tasks (id, kind, payload, state, cancellable, attempts, max_attempts, created_by,
          created_at, next_attempt_at)
        VALUES (?, 'test.sample', '{}', ?, ?, 1, 5, ?, 0, 4e12)`,
      id,
      state,
      cancellable,
      userId,
    )
    return id
  }
  return Promise.all([task('queued'), task('running'), task('dead', 0)])
}

/** Requests about files: one on an account, with a signed link to it, one to delete and one that was. */
export async function samplesOfFiles(
  as: TestUser,
  accountId: string,
  [transactionId = '', transferId = '']: string[],
): Promise<Record<string, Sample>> {
  const post = async (path: string, body: object | string) =>
    (await send(as, 'POST', path, body)).json()
  const upload = async (query = '') =>
    (await post(`/attachment?fileName=bill.pdf${query}`, '%PDF-1.7')) as {
      id: string
      links: { linkId: string }[]
    }
  const bill = await upload(`&linkKind=account&linkId=${accountId}`)
  const { url } = (await post(`/attachment/${bill.id}/download-link`, {})) as { url: string }
  const [shredded, deleted] = [await upload(), await upload()]
  await send(as, 'DELETE', `/attachment/${deleted.id}`)
  const of = ({ id }: { id: string }, more: Omit<Sample, 'path'> = {}) => ({
    path: { id },
    ...more,
  })
  return {
    listAttachments: { query: `?linkId=${accountId}&type=application&text=bill` },
    getAttachmentUsage: {},
    createAttachment: {
      query: `?fileName=bill.pdf&linkKind=transaction&linkId=${transactionId}`,
      bytes: '%PDF-1.7',
    },
    getAttachment: of(bill),
    updateAttachment: of(bill, { json: { title: 'Bill' } }),
    downloadAttachment: of(bill),
    createDownloadLink: of(bill, { json: {} }),
    followDownloadLink: { path: { token: url.replace('/download/', '') } },
    listDownloads: {},
    linkAttachment: of(bill, { json: { kind: 'transaction', id: transferId } }),
    unlinkAttachment: { path: { id: bill.id, linkId: bill.links[0]?.linkId ?? '' } },
    deleteAttachment: of(shredded),
    restoreAttachment: of(deleted),
  }
}

export interface Sample {
  path?: Record<string, string>
  query?: string
  json?: object
  /** A body of bytes. */
  bytes?: string
  /** Who sends it, where it is not the user of the samples. */
  as?: Principal
  headers?: Record<string, string>
  /** The secret of an authenticator whose code it brings, which lives for half a minute: made when it is sent. */
  authenticator?: string
  /** The operation without whose success this one would be refused. */
  after?: string
}

/** Codes by the secrets of authenticators: what is sent once more is the same request. */
const codes = new Map<string, Promise<string>>()

function codeOf(secret: string): Promise<string> {
  const code = codes.get(secret) ?? totpNow(secret)
  codes.set(secret, code)
  return code
}

/** Sends the sample of an operation. */
export const sendSample = async (
  me: Principal,
  operation: Pick<OperationEntry, 'method' | 'path'>,
  sample: Sample,
  serve?: (request: Request) => Promise<Response>,
): Promise<Response> => {
  const { authenticator, json } = sample
  const brought = authenticator ? { json: { ...json, code: await codeOf(authenticator) } } : {}
  const [path, init] = requestOf(me, operation, { ...sample, ...brought })
  return serve ? serve(new Request(`http://coffer.test${path}`, init)) : fetchRaw(path, init)
}

const requestOf = (
  me: Principal,
  { method, path }: Pick<OperationEntry, 'method' | 'path'>,
  sample: Sample,
) =>
  [
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sample.path?.[name] ?? '') +
      (sample.query ?? ''),
    requestInit(sample.as ?? me, method.toUpperCase(), sample.bytes ?? sample.json, sample.headers),
  ] as const

export const send = (as: Principal, method: string, path: string, body?: object | string) =>
  fetchRaw(path, requestInit(as, method, body))

/** @param body a text is sent as the bytes of a file */
const requestInit = (
  as: Principal,
  method: string,
  body?: object | string,
  headers: Record<string, string> = {},
): RequestInit => ({
  method,
  headers: {
    ...headers,
    Authorization: `Bearer ${as.accessToken}`,
    'Content-Type': typeof body === 'string' ? 'application/octet-stream' : 'application/json',
  },
  ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})

/** Trips to the database and the rows that they read and wrote, as a development build tells them. */
export function costOf(headers: Headers): { trips: number; rowsRead: number; rowsWritten: number } {
  const [, trips, rowsRead, rowsWritten] =
    /(\d+) trips, (\d+) read, (\d+) written/.exec(headers.get('Server-Timing') ?? '') ?? []
  return { trips: Number(trips), rowsRead: Number(rowsRead), rowsWritten: Number(rowsWritten) }
}

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A part to be matched, and one that is. */
export async function samplesOfMatching(make: Make, accountId: string, otherId: string) {
  const halves = async () => {
    const date = '2026-01-05'
    const splits = [{ amount: '4' }, { amount: '6' }]
    const whole = { kind: 'expense', accountId, date, amount: '10', splits }
    const made = (await make('/transaction', whole)) as { id: string; splits: { id: string }[] }
    const row = { kind: 'income', accountId: otherId, date, amount: '6' }
    const { id: transactionId } = await make('/transaction', row)
    return { path: { id: made.id, lineId: made.splits[1]?.id ?? '' }, json: { transactionId } }
  }
  const [open, { path, json }] = [await halves(), await halves()]
  await make(`/transaction/${path.id}/split/${path.lineId}/match`, json)
  return { matchSplit: open, unmatchSplit: { path } }
}
