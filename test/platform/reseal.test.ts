import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settingsOf } from '../../src/env.ts'
import type { Context } from '../../src/platform/context.ts'
import { newestPrefix, openSecret, sealSecret } from '../../src/platform/secrets/key-ring.ts'
import { resealAll, resealJob } from '../../src/platform/secrets/reseal.ts'
import {
  MAIL_RECORDS,
  placeIn,
  type SealedColumn,
} from '../../src/platform/secrets/sealed-columns.ts'
import { rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { someBytes } from '../support/of-file.ts'

const keys = ['a', 'b', 'c'].map((id) => ({
  id,
  bytes: someBytes(32),
}))

const ctxWith = (...ids: string[]): Context =>
  contextWith({
    settings: {
      ...settingsOf(env),
      encryptionKeys: ids.flatMap((id) => keys.filter((key) => key.id === id)),
    },
  })

/** The newest key is that of all tests: what others have sealed needs nothing and stays as it is. */
const ctxOfAll = (...older: string[]): Context => {
  const settings = settingsOf(env)
  const encryptionKeys = [...settings.encryptionKeys, ...ctxWith(...older).settings.encryptionKeys]
  return contextWith({ settings: { ...settings, encryptionKeys } })
}

const SECRETS: SealedColumn = { table: 'test_secrets', idColumn: 'id', column: 'record' }

async function storeSecrets(ctx: Context, count: number): Promise<void> {
  const statements = Array.from({ length: count }, async (_, at) => {
    const id = `sec_${String(at).padStart(4, '0')}`
    const record = await sealSecret(ctx, placeIn(SECRETS, id), `secret of ${id}`)
    return env.DB.prepare('INSERT INTO test_secrets VALUES (?1, ?2)').bind(id, record)
  })
  await env.DB.batch(await Promise.all(statements))
}

const storedSecrets = () => rows<{ id: string; record: string }>('SELECT * FROM test_secrets')

async function storeMail(ctx: Context, id: string): Promise<void> {
  const sealed = await sealSecret(ctx, placeIn(MAIL_RECORDS, id), 'a mail')
  await rows(
    `INSERT INTO tasks (id, kind, payload, max_attempts, dedupe_key, created_at, next_attempt_at)
      VALUES (?1, 'test.mail', json_object('id', ?1, 'sealed', ?2), 5, ?1, 0, 9e15)`,
    id,
    sealed,
  )
}

const mailRecord = async (id: string) => {
  const [task] = await rows<{ payload: string }>('SELECT payload FROM tasks WHERE id = ?', id)
  return JSON.parse(task?.payload ?? '{}') as { id: string; sealed: string }
}

beforeEach(async () => {
  await rows('CREATE TABLE test_secrets (id TEXT PRIMARY KEY, record TEXT) STRICT')
})
afterEach(async () => {
  await rows('DROP TABLE test_secrets')
  await rows("DELETE FROM tasks WHERE kind = 'test.mail'")
})

describe('re-encryption', () => {
  it('brings every record under the newest key, so that the old one can go', async () => {
    await storeSecrets(ctxWith('a'), 120)
    const outcome = await resealAll(ctxWith('b', 'a'), [SECRETS])
    expect(outcome).toEqual({ resealed: 120, unreadable: [] })
    const secrets = await storedSecrets()
    expect(secrets).toHaveLength(120)
    for (const { id, record } of secrets) {
      const text = await openSecret(ctxWith('b'), placeIn(SECRETS, id), record)
      expect(text).toBe(`secret of ${id}`)
    }
  })

  it('commits a bounded number at a time, and is done when there is nothing to do', async () => {
    await storeSecrets(ctxWith('a'), 120)
    const ctx = ctxWith('b', 'a')
    await resealAll(ctx, [SECRETS])
    expect(ctx.cost.trips).toBe(6)
    const again = ctxWith('b', 'a')
    expect(await resealAll(again, [SECRETS])).toEqual({ resealed: 0, unreadable: [] })
    expect([again.cost.trips, again.cost.rowsWritten]).toEqual([1, 0])
  })

  it('touches neither records under the newest key nor rows without one', async () => {
    await storeSecrets(ctxWith('b'), 3)
    await rows("UPDATE test_secrets SET record = NULL WHERE id = 'sec_0002'")
    const before = await storedSecrets()
    await resealAll(ctxWith('b', 'a'), [SECRETS])
    expect(await storedSecrets()).toEqual(before)
  })

  it('leaves and names what no key opens, and does the rest', async () => {
    await storeSecrets(ctxWith('a'), 60)
    const lost = await sealSecret(ctxWith('c'), placeIn(SECRETS, 'sec_0010'), 'lost')
    await rows("UPDATE test_secrets SET record = ? WHERE id = 'sec_0010'", lost)
    const outcome = await resealAll(ctxWith('b', 'a'), [SECRETS])
    expect(outcome).toEqual({ resealed: 59, unreadable: [placeIn(SECRETS, 'sec_0010')] })
    expect(await storedSecrets()).toContainEqual({ id: 'sec_0010', record: lost })
  })

  it('knows the mails that wait, inside of their tasks', async () => {
    await storeMail(ctxWith('a'), 'mal_waiting')
    const outcome = await resealAll(ctxOfAll('a'), [MAIL_RECORDS])
    expect(outcome).toEqual({ resealed: 1, unreadable: [] })
    const { id, sealed } = await mailRecord('mal_waiting')
    expect(id).toBe('mal_waiting')
    expect(await openSecret(ctxOfAll(), placeIn(MAIL_RECORDS, id), sealed)).toBe('a mail')
  })

  it('does not undo what somebody stored meanwhile', async () => {
    await storeMail(ctxWith('a'), 'mal_changing')
    const fresh = await sealSecret(ctxOfAll(), placeIn(MAIL_RECORDS, 'mal_changing'), 'fresh')
    const ctx = ctxOfAll('a')
    const { database } = ctx
    let trips = 0
    const interrupted: Pick<D1DatabaseSession, 'prepare' | 'batch' | 'getBookmark'> = {
      prepare: (sql) => database.prepare(sql),
      getBookmark: () => database.getBookmark(),
      batch: async <Row>(statements: D1PreparedStatement[]) => {
        trips += 1
        if (trips === 2) {
          await rows(
            "UPDATE tasks SET payload = json_set(payload, '$.sealed', ?) WHERE id = 'mal_changing'",
            fresh,
          )
        }
        return database.batch<Row>(statements)
      },
    }
    await resealAll({ ...ctx, database: interrupted }, [MAIL_RECORDS])
    expect(trips).toBe(2)
    expect((await mailRecord('mal_changing')).sealed).toBe(fresh)
  })
})

describe('the daily task', () => {
  it('fails when a record does not open, so that somebody looks', async () => {
    await storeMail(ctxWith('c'), 'mal_lost')
    const run = resealJob.run(ctxOfAll('a'), {}, [])
    await expect(run).rejects.toMatchObject({ code: 'secrets.unreadable' })
  })

  it('finishes in a commit of its own', async () => {
    await storeMail(ctxWith('a'), 'mal_waiting')
    await resealJob.run(ctxOfAll('a'), {}, [])
    const { sealed } = await mailRecord('mal_waiting')
    expect(sealed.startsWith(newestPrefix(ctxOfAll()))).toBe(true)
  })
})
