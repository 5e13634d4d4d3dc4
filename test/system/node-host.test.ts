import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { secretsFile, storedSecrets } from '../../src/hosts/node/secrets.ts'
import { type NodeProcess, runNode, temporaryFolder } from '../support/running.ts'

// The release for Node as a process, as its operator meets it.

const PAGE_BYTES = 4096
const root = temporaryFolder()
const data = join(root.path, 'data')
let service: NodeProcess

beforeAll(async () => {
  service = await runNode(inject('nodeRelease'), data)
})

afterAll(async () => {
  await service.stop()
  root.remove()
})

/** Runs the release until it ends; of one that goes on although it should not, what it has said in a minute. */
async function ends(variables: Record<string, string>, ...args: string[]) {
  const flags = ['--disable-warning=ExperimentalWarning', inject('nodeRelease'), ...args]
  const env = { ...process.env, PORT: '0', ...variables }
  const child = spawn(process.execPath, flags, { env, timeout: 60_000 })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const register = (email: string, inviteCode?: string) =>
  post('/auth/register', { email, password: 'only for this one test', name: 'Ada', inviteCode })

describe('a fresh start', () => {
  it('has no data but secrets that only its user can read', async () => {
    expect(statSync(secretsFile(data)).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(Object.keys(storedSecrets(data)).toSorted()).toEqual([
      ...['APP_SECRET', 'ENCRYPTION_KEYS', 'JWT_KEYS'],
    ])
    expect((await register('stranger@coffer.test')).status).toBe(403)
  })

  it('lets the first administrator in by a code that is made while it serves', async () => {
    const { code, said } = await ends({ COFFER_DATA: data }, 'admin-invite')
    expect(code, said).toBe(0)
    const [invite] = /inc_[\w-]{27}/.exec(said) ?? []
    const registered = await register('owner@coffer.test', invite)
    expect(registered.status).toBe(201)
    const { user } = (await registered.json()) as { user: { roles: { name: string }[] } }
    expect(user.roles.map(({ name }) => name).toSorted()).toEqual(['admin', 'user'])
  })

  it('checks its ledger while it serves, and has nothing to seal anew', async () => {
    const check = await ends({ COFFER_DATA: data }, 'check-ledger')
    const reseal = await ends({ COFFER_DATA: data }, 'reseal')
    expect([check.code, check.said]).toEqual([
      0,
      expect.stringMatching(/^\d+ checks, 0 differences/),
    ])
    expect([reseal.code, reseal.said]).toEqual([
      0,
      expect.stringContaining('No record is encrypted'),
    ])
  })
})

describe('the address of a caller', () => {
  const wrongLogin = (headers: Record<string, string>) =>
    post('/auth/v2/login', { email: 'owner@coffer.test', password: 'wrong wrong wrong' }, headers)
  const addresses = () => {
    const database = new DatabaseSync(databaseFile(data), { readOnly: true })
    const rows = database.prepare('SELECT DISTINCT ip FROM log_entries WHERE ip IS NOT NULL').all()
    database.close()
    return rows.map(({ ip }) => ip)
  }

  it('is that of the connection, whatever a header says', async () => {
    await wrongLogin({ 'CF-Connecting-IP': '8.8.8.8', 'X-Forwarded-For': '8.8.4.4' })
    expect(addresses()).toEqual(['127.0.0.1'])
  })
})

describe('the service refuses to start', () => {
  const elsewhere = (name: string) => join(root.path, name)
  const stopped = elsewhere('stopped-before')
  /** The data folder of a service that has run before. */
  const used = (name: string) => {
    cpSync(stopped, elsewhere(name), { recursive: true })
    return elsewhere(name)
  }
  beforeAll(async () => {
    await (await runNode(inject('nodeRelease'), stopped)).stop()
  })

  it('in a folder that another process serves', async () => {
    const { code, said } = await ends({ COFFER_DATA: data })
    expect([code, said.trim()]).toEqual([
      1,
      `The data folder ${data} is in use by another process. Stop that one first.`,
    ])
  })

  it('on a port that is taken, before it writes or sends anything', async () => {
    const folder = used('port')
    // A second start would take it up at once.
    const database = new DatabaseSync(databaseFile(folder))
    database.exec("UPDATE tasks SET state = 'queued', next_attempt_at = 0")
    database.close()
    const filesOf = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => [name, statSync(join(folder, name)).mtimeMs])
    const before = filesOf()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, said } = await ends({ COFFER_DATA: folder, PORT: String(port) })
    const unused = await ends({ COFFER_DATA: elsewhere('unused'), PORT: String(port) })
    taken.close()
    const sentence = `Port ${port} of 127.0.0.1 is already in use. Choose another one: PORT=${port + 1}`
    expect([code, said.trim()]).toEqual([1, sentence])
    expect(filesOf()).toEqual(before)
    expect([unused.code, unused.said.trim()]).toEqual([1, sentence])
    expect(existsSync(elsewhere('unused'))).toBe(false)
  })

  const wrong = [
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535.'],
    ['HOST', '192.0.2.1', '192.0.2.1 is not an address of this machine.'],
    ['REGISTRATION', 'maybe', 'REGISTRATION must be one of open, invite, closed.'],
    ['APP_SECRET', 'a'.repeat(44), 'the secret APP_SECRET has too few different characters'],
    ['JWT_KEYS', '{"keys":[]}                      ', 'the secret JWT_KEYS is not a JWK set'],
    ['PASSWORD_COST', '15', 'PASSWORD_COST must be a whole number from 1 to 14.'],
    ['SMTP_URL', 'mail.home.example', 'SMTP_URL must be smtp://'],
    ['SMTP_URL', 'smtp://mail.home.example', 'MAIL_FROM must be the address'],
  ] as const
  it.each(wrong)('with a wrong %s: %s', async (name, value, expected) => {
    const folder = elsewhere(`variables of ${name} ${value}`)
    const { code, said } = await ends({ COFFER_DATA: folder, [name]: value })
    expect([code, said]).toEqual([1, expect.stringContaining(expected)])
    expect(said.trim().split('\n').at(-1)).toContain(expected)
    // Or the next start would take a database that nothing was ever stored in for one that has lost its secrets.
    const files = existsSync(folder) ? readdirSync(folder) : []
    expect(files.filter((file) => !file.startsWith('lock'))).toEqual([])
  })

  it('to check or reseal what is not there', async () => {
    for (const command of ['check-ledger', 'reseal']) {
      const { code, said } = await ends({ COFFER_DATA: elsewhere('nothing') }, command)
      expect([code, said]).toEqual([1, expect.stringContaining('There is no database in')])
    }
    expect(existsSync(elsewhere('nothing'))).toBe(false)
  })

  it('in a folder that cannot be written', async () => {
    writeFileSync(elsewhere('file'), '')
    const { code, said } = await ends({ COFFER_DATA: elsewhere('file/data') })
    expect([code, said]).toEqual([1, expect.stringContaining('cannot be written.')])
  })

  it('on a database of a newer version', async () => {
    const folder = used('newer')
    const database = new DatabaseSync(databaseFile(folder))
    database.exec("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')")
    database.close()
    const { code, said } = await ends({ COFFER_DATA: folder })
    expect([code, said]).toEqual([1, expect.stringContaining('The database is newer')])
  })

  it('without the secrets that its database was made with', async () => {
    const folder = used('lost')
    truncateSync(secretsFile(folder))
    const { code, said } = await ends({ COFFER_DATA: folder })
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('These secrets are missing: JWT_KEYS, APP_SECRET, ENCRYPTION_KEYS.'),
    ])
    expect(statSync(secretsFile(folder)).size).toBe(0)
  })

  const damages: [string, (file: string) => void][] = [
    ['is another file', (file: string) => writeFileSync(file, 'x'.repeat(9000))],
    ['was cut off', (file: string) => truncateSync(file, 40_960)],
    [
      'was written over',
      (file: string) => {
        const database = new DatabaseSync(file)
        const sql = "SELECT rootpage FROM sqlite_master WHERE name = 'log_events'"
        const { rootpage } = database.prepare(sql).get() as { rootpage: number }
        database.close()
        const bytes = readFileSync(file)
        bytes.fill(7, (rootpage - 1) * PAGE_BYTES, rootpage * PAGE_BYTES)
        writeFileSync(file, bytes)
      },
    ],
  ]
  it.each(damages)('on a database that %s', async (name, damage) => {
    const folder = used(`damaged-${name.replaceAll(' ', '-')}`)
    damage(databaseFile(folder))
    const { code, said } = await ends({ COFFER_DATA: folder })
    expect([code, said]).toEqual([1, expect.stringMatching(/is damaged \(.+\)\. Restore a backup/)])
  })

  it('on an older version of Node', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '23.11.1' } })`
    const { code, said } = await ends({
      COFFER_DATA: elsewhere('older'),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
    })
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^Coffer needs Node 24 or later, and this is Node 23\.11\.1\./),
    ])
    expect(existsSync(elsewhere('older'))).toBe(false)
  })

  it('a command that it does not have', async () => {
    const { code, said } = await ends({ COFFER_DATA: elsewhere('none') }, 'sing')
    expect([code, said]).toEqual([1, expect.stringContaining('There is no command sing.')])
    expect(existsSync(elsewhere('none'))).toBe(false)
  })
})

it('refuses for a while who has used up their share of the database, and nobody else', async () => {
  const folder = join(root.path, 'limited')
  const variables = { REGISTRATION: 'open', PASSWORD_COST: '1', USER_LIMIT_DATABASE_MS: '1' }
  const limited = await runNode(inject('nodeRelease'), folder, variables)
  const enter = async (email: string) => {
    const registered = await fetch(`${limited.url}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'only for this one test', name: 'A' }),
    })
    const { accessToken } = (await registered.json()) as { accessToken: string }
    return () =>
      fetch(`${limited.url}/account`, { headers: { Authorization: `Bearer ${accessToken}` } })
  }
  const [one, other] = [await enter('a@coffer.test'), await enter('b@coffer.test')]
  let answer = await one()
  expect(answer.status).toBe(200)
  while (answer.status === 200) {
    answer = await one()
  }
  const { code } = (await answer.json()) as { code: string }
  expect([answer.status, code]).toEqual([429, 'request.budgetExhausted'])
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await other()).status).toBe(200)
  await limited.stop()
  expect(limited.said()).toMatch(/"operation":"getUserAccounts".+"databaseMs":\d/)
})

it('finishes the requests that came before it was told to stop, and leaves one whole file', async () => {
  const folder = join(root.path, 'stopped')
  const other = await runNode(inject('nodeRelease'), folder, { REGISTRATION: 'open' })
  const { hostname, port } = new URL(other.url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({
    email: 'a@coffer.test',
    password: 'only for this one test',
    name: 'A',
  })
  socket.write(
    `POST /auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  // The service hashes now: the next request is answered meanwhile.
  await fetch(`${other.url}/health`)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  expect(answer).toBe('')
  await other.stop()
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  expect(other.child.exitCode).toBe(0)
  expect(existsSync(`${databaseFile(folder)}-wal`)).toBe(false)
  const database = new DatabaseSync(databaseFile(folder), { readOnly: true })
  expect(database.prepare('SELECT email FROM users').all()).toEqual([{ email: 'a@coffer.test' }])
  database.close()
})
