import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import {
  acknowledge,
  changeByForce,
  enter,
  manifestOf,
  newOperator,
  rewrite,
} from '../support/operated.ts'
import { temporaryFolder } from '../support/running.ts'

// What `npm run restore` refuses, each with the release itself, on a backup of a service that somebody has used.

const root = temporaryFolder()
const folder = (name: string) => join(root.path, name)
const operator = newOperator()
const data = folder('data')
const whole = folder('backup')
let serial = 0

beforeAll(async () => {
  let service = await operator.start(data)
  const member = await enter(service.url, 'ada@coffer.test')
  const { id: accountId } = await member.ask<{ id: string }>('POST', '/account', {
    ...{ name: 'Everyday', type: 'checking', currency: 'EUR' },
    ...{ openingBalance: '250', openingDate: '2026-01-01' },
  })
  const expense = { kind: 'expense', accountId, date: '2026-02-03', amount: '42.30' }
  await member.ask('POST', '/transaction', expense)
  const bill = new TextEncoder().encode('%PDF-1.7 a bill')
  await member.ask('POST', '/attachment?fileName=bill.pdf', bill)
  await service.stop()
  // At its start the service seals what is in the log.
  service = await operator.start(data)
  await service.stop()
  await operator.run(data, ['backup', whole])
})

afterAll(() => root.remove())

/** The only file of the backup that somebody uploaded. */
const uploaded = () =>
  Object.keys(manifestOf(whole).files).find((path) => path.startsWith('files/'))

/** A copy of the backup with something wrong with it. */
function spoilt(spoil: (backup: string) => void): string {
  const backup = folder(`spoilt-${++serial}`)
  cpSync(whole, backup, { recursive: true })
  spoil(backup)
  return backup
}

/** The same, where the manifest says nothing of it. */
const spoiltUnseen = (sql: string) =>
  spoilt((backup) => {
    changeByForce(join(backup, 'coffer.sqlite'), sql)
    acknowledge(backup)
  })

interface Options {
  args?: string[]
  env?: Record<string, string>
}

/** Restores into a new folder; where that is refused, nothing is left there. */
async function restore(backup: string, { args = [], env }: Options = {}) {
  const target = folder(`restored-${++serial}`)
  const { code, printed } = await operator.run(target, ['restore', backup, ...args], env)
  expect(existsSync(target)).toBe(code === 0)
  return { code, printed: printed.trim(), target }
}

describe('restoring refuses a backup', () => {
  it('that was interrupted, or is none', async () => {
    const without = spoilt((backup) => rmSync(join(backup, 'manifest.json')))
    const torn = spoilt((backup) => truncateSync(join(backup, 'manifest.json'), 100))
    const other = spoilt((backup) => writeFileSync(join(backup, 'manifest.json'), '{"files":[]}'))
    const answers = await Promise.all([without, torn, other].map((backup) => restore(backup)))
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1])
    expect(answers.map(({ printed }) => printed)).toEqual([
      `${without} is not a complete backup: its manifest.json, which is written last, is missing. Use another backup.`,
      ...[torn, other].map(
        (backup) =>
          `${backup}/manifest.json is damaged, or not the manifest of a backup. Use another backup.`,
      ),
    ])
  })

  it('with a file that was changed, is missing, or came to it, and names each', async () => {
    const file = uploaded() ?? ''
    const backup = spoilt((path) => {
      writeFileSync(join(path, file), '%PDF-1.7 a bilk')
      truncateSync(join(path, 'coffer.sqlite'), 8192)
      rmSync(join(path, 'secrets.env'))
      writeFileSync(join(path, 'files/stray'), 'x')
    })
    const { code, printed } = await restore(backup)
    expect([code, printed]).toEqual([
      1,
      `${backup} was changed after the backup was made: secrets.env is missing; files/stray is not part of it; coffer.sqlite was changed; ${file} was changed. Use another backup.`,
    ])
  })

  it('whose database is truncated, although its manifest says so, too', async () => {
    const backup = spoilt((path) => {
      truncateSync(join(path, 'coffer.sqlite'), 200_000)
      acknowledge(path)
    })
    const { code, printed } = await restore(backup)
    expect(code).toBe(1)
    expect(printed).toMatch(/^The database \S+ is damaged: /)
  })

  it('with a row that names another one which is not there', async () => {
    const { code, printed } = await restore(spoiltUnseen('DELETE FROM users'))
    expect(code).toBe(1)
    expect(printed).toMatch(/ is damaged: a row of \w+ names a row of users that is not there\.$/)
  })

  it('that lacks a file which its database names, or has one that it does not name', async () => {
    const file = uploaded() ?? ''
    const key = file.replace('files/', '')
    const without = spoilt((path) => {
      rmSync(join(path, file))
      rewrite(path, ({ files }) => delete files[file])
    })
    const surplus = spoiltUnseen('DELETE FROM attachment_links; DELETE FROM attachments')
    const answers = await Promise.all([without, surplus].map((backup) => restore(backup)))
    expect(answers.map(({ code }) => code)).toEqual([1, 1])
    expect(answers.map(({ printed }) => printed)).toEqual([
      `${without} is incomplete: file ${key} is missing.`,
      `${surplus} is incomplete: file ${key} belongs to no row.`,
    ])
  })

  it('of a newer version, by its manifest or its database, or in another format', async () => {
    const told = spoilt((path) =>
      rewrite(path, (manifest) =>
        Object.assign(manifest, { migration: '9999_future.sql', version: '9.0.0' }),
      ),
    )
    const withoutEvents = spoiltUnseen(
      `INSERT INTO d1_migrations (name) VALUES ('9999_future.sql')`,
    )
    const format = spoilt((path) =>
      rewrite(path, (manifest) => Object.assign(manifest, { formatVersion: 2 })),
    )
    const answers = await Promise.all(
      [told, withoutEvents, format].map((backup) => restore(backup)),
    )
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1])
    expect(answers[0]?.printed).toMatch(
      /made by version 9\.0\.0 of the service\. This one \(\S+\) does not know the migration 9999_future\.sql of its database\. Restore it with that version\.$/,
    )
    expect(answers[1]?.printed).toContain('it has the migration 9999_future.sql')
    expect(answers[2]?.printed).toContain('in a format that this version does not know')
  })

  it('whose books or log contradict themselves, unless the operator wants it so', async () => {
    const books = spoiltUnseen('UPDATE account_balances SET balance_minor = balance_minor + 1')
    const log = spoiltUnseen(`UPDATE log_commits SET type = 'account.deleted'
      WHERE type = 'account.created'`)
    const answers = await Promise.all([books, log].map((backup) => restore(backup)))
    expect(answers.map(({ code }) => code)).toEqual([1, 1])
    expect(answers[0]?.printed).toMatch(
      /contradicts itself: account acc_\w+: kept 20771\S*, entries give 20770\S*\. Add --accept-differences to restore it anyway\.$/,
    )
    expect(answers[1]?.printed).toMatch(
      /contradicts itself: entry log_\w+ of the audit log, number \d+: entryChanged\. /,
    )
    const accepted = await restore(log, { args: ['--accept-differences'] })
    expect(accepted.code).toBe(0)
    expect(accepted.printed).toContain(
      '0 migrations applied, 1 differences in the ledger and the log.',
    )
    expect(accepted.printed).toContain(': entryChanged')
  })

  it('whose database lacks something that keeps its books', async () => {
    const { code, printed } = await restore(
      spoiltUnseen('DROP VIEW account_receivers; DROP INDEX attachments_of_owner'),
    )
    expect(code).toBe(1)
    expect(printed).toContain(
      'contradicts itself: the index attachments_of_owner is missing; the view account_receivers is missing. ',
    )
  })

  it('without the keys that its log was sealed with', async () => {
    const without = spoilt((path) => {
      rmSync(join(path, 'secrets.env'))
      rewrite(path, ({ files }) => delete files['secrets.env'])
    })
    const { ENCRYPTION_KEYS } = await freshSecrets()
    const answers = await Promise.all([
      restore(without),
      restore(whole, { env: { ENCRYPTION_KEYS } }),
      restore(whole, {
        env: { ENCRYPTION_KEYS: 'these are no keys at all, although they are long enough' },
      }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([1, 1, 1])
    expect(answers[0]?.printed).toBe(
      'The backup does not have JWT_KEYS, APP_SECRET, ENCRYPTION_KEYS. Set them in the environment, as they are for the service that was backed up.',
    )
    expect(answers[1]?.printed).toContain('number 1: unknownKey')
    expect(answers[2]?.printed).toMatch(/^the secret ENCRYPTION_KEYS is not a list/)
  })
})

describe('restoring refuses a data folder', () => {
  it('that has something in it, and leaves that alone', async () => {
    const target = folder('full')
    mkdirSync(target)
    writeFileSync(join(target, 'coffer.sqlite'), 'mine')
    const { code, printed } = await operator.run(target, ['restore', whole])
    expect([code, printed.trim()]).toEqual([
      1,
      `The data folder ${target} is not empty: it has coffer.sqlite. Set COFFER_DATA to a new folder.`,
    ])
    expect(readdirSync(target)).toEqual(['coffer.sqlite'])
  })

  it('that a running service has', async () => {
    const service = await operator.start(data)
    const { code, printed } = await operator.run(data, ['restore', whole])
    expect([code, printed.trim()]).toEqual([
      1,
      `The data folder ${data} is in use by another process. Stop that one first.`,
    ])
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
    await service.stop()
  })
})

it('restoring goes into a folder that a killed restore has left', async () => {
  const target = folder('left')
  mkdirSync(join(target, '.restoring'), { recursive: true })
  writeFileSync(join(target, '.restoring/coffer.sqlite'), 'half')
  const { code, printed } = await operator.run(target, ['restore', whole])
  expect(code, printed).toBe(0)
  expect(readdirSync(target).toSorted()).toEqual(['coffer.sqlite', 'files', 'lock', 'secrets.env'])
})

it('restoring leaves an empty folder empty when it refuses', async () => {
  const target = folder('empty')
  mkdirSync(target)
  const { code } = await operator.run(target, ['restore', data])
  expect(code).toBe(1)
  expect(readdirSync(target)).toEqual([])
})
