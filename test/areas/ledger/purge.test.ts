import { expect, it } from 'vitest'
import { purgePlatform } from '../../../src/areas/operations/service/service.jobs.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'

const DAY = 24 * 60 * 60 * 1000

const purgeAt = (now: number) => purgePlatform.run(contextWith({ now }), {}, [])

const keysOf = async (sql: string, ...values: unknown[]) =>
  (await rows<{ key: string }>(sql, ...values)).map(({ key }) => key)

it('deletes answers, windows and sign-ins whose time is over, and keeps the others', async () => {
  const now = Date.now()
  const id = crypto.randomUUID()
  for (const [name, end] of [
    ['over', now],
    ['running', now + 1],
  ] as const) {
    await rows("INSERT INTO idempotency_keys VALUES (?, 'f', 201, 'a', ?)", `${id} ${name}`, end)
    await rows('INSERT INTO rate_limits VALUES (?, 1, ?)', `${id} ${name}`, end)
    await rows("INSERT INTO sign_in_flows VALUES (?, 'b', 'p', NULL, ?)", `${id} ${name}`, end)
    await rows(
      "INSERT INTO sign_in_codes (code_hash, provider_id, issuer, subject, email, email_key, name, expires_at) VALUES (?, 'p', 'i', 's', 'e', 'e', 'n', ?)",
      `${id} ${name}`,
      end,
    )
  }
  await purgeAt(now)
  expect([
    await keysOf('SELECT key_hash AS key FROM idempotency_keys WHERE instr(key_hash, ?)', id),
    await keysOf('SELECT key FROM rate_limits WHERE instr(key, ?)', id),
    await keysOf('SELECT state_hash AS key FROM sign_in_flows WHERE instr(state_hash, ?)', id),
    await keysOf('SELECT code_hash AS key FROM sign_in_codes WHERE instr(code_hash, ?)', id),
  ]).toEqual([[`${id} running`], [`${id} running`], [`${id} running`], [`${id} running`]])
})

it.each([
  ['revoked', 'revoked_at'],
  ['unused for long', 'idle_expires_at'],
  ['too old', 'absolute_expires_at'],
])('deletes the refresh tokens of a session 30 days after it was %s', async (_, column) => {
  const me = await newUser()
  const now = Date.now()
  const tokens = () =>
    rows(
      'SELECT 1 FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE s.user_id = ?',
      me.id,
    )
  const endAt = (instant: number) =>
    rows(`UPDATE sessions SET ${column} = ? WHERE user_id = ?`, instant, me.id)

  await endAt(now - 30 * DAY)
  await purgeAt(now)
  expect(await tokens()).toHaveLength(1)
  await endAt(now - 30 * DAY - 1)
  await purgeAt(now)
  expect(await tokens()).toHaveLength(0)
})

it('deletes tasks 30 days after they were done or called off; what is open or failed stays', async () => {
  const now = Date.now()
  const kind = `test.${crypto.randomUUID()}`
  const old = now - 30 * DAY - 1
  const insert = (id: string, state: string, finishedAt: number | null) =>
    rows(
      `INSERT INTO tasks (id, kind, payload, state, max_attempts, created_at, next_attempt_at, finished_at)
       VALUES (?1, ?2, '{}', ?3, 5, ?4, ?5, ?6)`,
      `${kind} ${id}`,
      kind,
      state,
      old,
      now + 365 * DAY,
      finishedAt,
    )
  await insert('old', 'succeeded', old)
  await insert('young', 'succeeded', old + 1)
  await insert('open', 'queued', null)
  await insert('cancelled', 'cancelled', old)
  await insert('dead', 'dead', old)
  await insert('failed', 'failed', old)
  await purgeAt(now)
  expect(await keysOf('SELECT id AS key FROM tasks WHERE kind = ? ORDER BY id', kind)).toEqual(
    ['dead', 'failed', 'open', 'young'].map((id) => `${kind} ${id}`),
  )
})

it('leaves a row in the log', async () => {
  const before = await rows("SELECT 1 FROM log_entries WHERE type = 'platform.purged'")
  await purgeAt(Date.now())
  const after = await rows("SELECT 1 FROM log_entries WHERE type = 'platform.purged'")
  expect(after.length - before.length).toBe(1)
})
