import { createBalanceAssertion } from '../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { env } from 'cloudflare:workers'
import { createBackup } from '../../src/areas/data-rights/backups/backups.routes.ts'
import { createExport } from '../../src/areas/data-rights/exports/exports.routes.ts'
import { setExportSchedule } from '../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { wipeData } from '../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { commitImport, revertImport } from '../../src/areas/intake/imports/imports.routes.ts'
import { commitImportJob } from '../../src/areas/intake/imports/imports.jobs.ts'
import { forgotPassword } from '../../src/areas/identity/auth/auth.routes.ts'
import { work } from '../../src/areas/index.ts'
import { exportAuditLog } from '../../src/areas/insight/audit-log/audit-log.routes.ts'
import { storeSegments } from '../../src/areas/insight/audit-log/segments/segments.usecases.ts'
import { createTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { emptyTrash } from '../../src/areas/money/trash/trash.routes.ts'
import {
  checkIntegrity,
  recalculateBalances,
} from '../../src/areas/operations/maintenance/maintenance.routes.ts'
import { updatePreferences } from '../../src/areas/data-rights/own-user/own-user.routes.ts'
import { createRecurring } from '../../src/areas/planning/recurring/recurring.routes.ts'
import { createWebhook } from '../../src/areas/events/webhooks/webhooks.routes.ts'
import { dateInZone } from '../../src/domain/calendar.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { storeCommit } from '../areas/audit-log/stored-log.ts'
import { newCouple } from '../areas/budgets/household.fixtures.ts'
import { newProvider } from '../areas/identity-providers/providers.ts'
import { file } from '../areas/attachments/filing.ts'
import { backedUp, sendRestore } from '../areas/backups/restoring.ts'
import { csv, uploaded } from '../areas/imports/importing.ts'
import { newOwner } from '../areas/own-user/owners.fixtures.ts'
import { setAlert, tell } from '../areas/notifications/notifications.fixtures.ts'
import { putFile, tie } from '../areas/own-user/households.fixtures.ts'
import { addTraces, makeDue } from '../areas/own-user/user-traces.fixtures.ts'
import { lock } from '../areas/period-locks/locking.ts'
import { book } from '../areas/transactions/booking.ts'
import { DAY } from '../areas/trash/trashing.ts'
import { call, ok, rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../support/world.ts'

// A database in which there is a task of each kind, with something to do for it.

/** Long ago, and past every time for which something is kept. */
const LONG_AGO = 1

const insertTask = (kind: string, payload: object = {}) =>
  rows(
    `INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
      VALUES ('tsk_' || lower(hex(randomblob(13))), ?, ?, 5, 0, 0)`,
    kind,
    JSON.stringify(payload),
  )

/** Somebody with a household, whose time has come. */
async function leaving(): Promise<TestUser> {
  const me = await newOwner()
  await tie(me, await newUser(), await newUser())
  await addTraces(me)
  await makeDue(me)
  return me
}

/** What the night finds in trash, bucket and log. */
async function leftovers(me: TestUser): Promise<void> {
  for (const table of ['accounts', 'trashed_rows', 'transactions']) {
    await rows(
      `UPDATE ${table} SET deleted_at = ? WHERE deleted_at IS NOT NULL AND owner_id = ?`,
      LONG_AGO,
      me.id,
    )
  }
  for (const word of ['one', 'two']) {
    await putFile(me, word, { deleted_at: LONG_AGO })
  }
  await putFile(me, 'three', { deleted_at: Date.now() })
  await putFile(me, 'four')
  for (const key of ['files/nobodys', 'archives/nobodys', 'log/2024-01/nobodys']) {
    await env.FILES.put(key, 'of nobody')
  }
  for (const name of ['first', 'second']) {
    const key = `archives/${name}`
    await env.FILES.put(key, `the ${name} archive`)
    await rows(
      `INSERT INTO archives (id, kind, owner_id, state, object_key, sha256, size, expires_at, created_at, updated_at)
        VALUES (?1, 'backup', ?2, 'ready', ?1, 'x', 1, ?3, 0, 0)`,
      key,
      me.id,
      LONG_AGO,
    )
  }
  await rows(
    `INSERT INTO backup_uploads (id, owner_id, size, sha256, expires_at, created_at, updated_at)
      VALUES ('upl_old', ?1, 2, 'x', ?2, 0, 0)`,
    me.id,
    LONG_AGO,
  )
  for (const number of [1, 2]) {
    const key = `uploads/part_${number}`
    await env.FILES.put(key, 'a part')
    await rows(
      `INSERT INTO backup_upload_parts (id, owner_id, upload_id, number, object_key, size, sha256, created_at)
        VALUES (?1, ?2, 'upl_old', ?3, ?1, 1, 'x', 0)`,
      key,
      me.id,
      number,
    )
  }
  await rows("INSERT INTO rate_limits VALUES ('old', 1, 1)")
  await newProvider()
}

/** An account that leaves the budget of a group on the day before the work is done, three days from now. */
async function departed(): Promise<void> {
  const { card } = await newCouple()
  await rows('UPDATE shares SET expires_at = ? WHERE account_id = ?', Date.now() + 2 * DAY, card.id)
}

/** A lock that waits for its seal. */
async function unsealed(me: TestUser): Promise<string> {
  const { id } = await lock(me, { through: '2026-02-28' })
  await rows('UPDATE period_locks SET seals = NULL WHERE id = ?', id)
  return id
}

/** A balance assertion that does not hold any more, which nobody was told of yet. */
async function broken(me: TestUser): Promise<void> {
  const account = await newAccount(me)
  const json = { accountId: account.id, date: '2026-02-28', amount: '9' }
  const { id } = await ok(createBalanceAssertion, { as: me, json })
  await rows('UPDATE balance_assertions SET was_ok = 1 WHERE id = ?', id)
}

/** Somebody with alerts, which a transaction that no reader has seen is for, who is told of them by mail. */
async function alarmed(): Promise<void> {
  const me = await newUser()
  const notifications = { 'account.balanceLow': 'mail', 'transaction.large': 'mail' } as const
  await ok(updatePreferences, { as: me, json: { notifications } })
  const account = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  await setAlert(me, account, { below: '50', above: '10' })
  await tell(me, { resourceType: 'account', resourceId: account.id })
  await book(me, account, { amount: '60', date: '2026-02-01' })
}

/** A log of old months, sealed: one is in a segment, and the others are not. */
async function oldLog(): Promise<void> {
  for (const month of [0, 0, 1, 2, 2]) {
    await storeCommit({ at: Date.UTC(2025, month, 3), events: [{ content: { a: 1 } }] })
  }
  await seal()
  // When January alone was old.
  await storeSegments(contextWith({ now: Date.UTC(2026, 2, 2) }), [])
}

async function seal(): Promise<void> {
  for (const sweep of work.sweeps ?? []) {
    await sweep(systemContext(env, 'sweep'))
  }
}

/** A backup that is to be restored for somebody else. */
async function restoring(): Promise<void> {
  const me = await newOwner()
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  const { archive } = await backedUp(me)
  await sendRestore(await newUser(), archive)
}

/** Imports of somebody: one to read, one to book, and one to take back. */
async function importing(): Promise<void> {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  const toRevert = await uploaded(me, csv(['2026-03-01,TEA,-2.00', '2026-03-02,CAKE,-5.00']), query)
  await call(commitImport, { as: me, id: toRevert.id, json: {} })
  await commitImportJob.run(contextWith({}), { importId: toRevert.id }, [])
  await rows("DELETE FROM tasks WHERE kind = 'imports.commit'")
  await ok(revertImport, { as: me, id: toRevert.id, json: {} })
  const toBook = await uploaded(me, csv(['2026-03-01,TEA,-2.50', '2026-03-02,CAKE,-5.50']), query)
  await ok(commitImport, { as: me, id: toBook.id, json: {} })
  const lines = Array.from({ length: 2100 }, (_, at) => `2026-03-03,ROW ${at},-1.00`)
  await uploaded(me, csv(lines), query)
  const expired = await uploaded(me, csv(['2026-03-04,MILK,-1.00']), query)
  await rows('UPDATE imports SET expires_at = 1 WHERE id = ?', expired.id)
}

/** Somebody with items of which one is due, and another waits for a transaction that is there. */
async function planning(): Promise<string> {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2025-01-01' })
  const schedule = { unit: 'month', anchor: '2026-01-15' } as const
  const transaction = { kind: 'expense', accountId: account.id, amount: '5' } as const
  const item = { name: 'Rent', schedule, transaction, from: '2026-01-01' }
  await ok(createRecurring, { as: me, json: { ...item, mode: 'post' } })
  const waiting = { ...transaction, amount: '7', description: 'Blue Bottle Coffee' }
  const json = { ...item, mode: 'expect', transaction: waiting } as const
  await ok(createRecurring, { as: me, json })
  for (const date of ['2026-02-15', '2026-03-15']) {
    await ok(createTransaction, { as: me, json: { ...waiting, date } })
  }
  return me.id
}

/** Somebody whose webhook is to be told of two tags. Where it is, whoever starts the work knows. */
async function telling(): Promise<void> {
  const me = await newUser()
  const { id } = await ok(createWebhook, {
    as: me,
    json: { url: 'https://receiver.invalid/', types: ['tag.*'] },
  })
  await rows(
    `INSERT INTO webhook_deliveries (id, webhook_id, owner_id, sequence, event_id, type, body, state, attempts,
        next_attempt_at, created_at)
      SELECT 'evt_' || value || ' ' || ?1, ?1, ?2, value, 'evt_' || value, 'tag.created', '{}', 'queued', 0, 1, 1
      FROM json_each('[1, 2]')`,
    id,
    me.id,
  )
  await insertTask('webhooks.send', { ownerId: me.id, webhookId: id })
}

/** Later than any time that a test is of. */
const NEVER = 9e15

/**
 * Stores it all; tasks that requests ask for come about as ever, and those of the clock as it stores them. None is due: the queue
 * of the tests would do it.
 */
export async function newWorks(): Promise<void> {
  await rows(`CREATE TRIGGER held AFTER INSERT ON tasks
    BEGIN UPDATE tasks SET next_attempt_at = ${NEVER} WHERE id = NEW.id; END`)
  await oldLog()
  const admin = await newAdmin()
  const gone = await leaving()
  const wiping = await newOwner()
  await ok(wipeData, {
    as: wiping,
    json: {
      kinds: [
        'transactions',
        'accounts',
        'categories',
        'payees',
        'tags',
        'exchangeRates',
        'files',
        'preferences',
      ],
      password: wiping.password,
    },
  })
  await putFile(wiping, 'later')
  const saving = await newOwner()
  await putFile(saving, 'saved')
  await restoring()
  await ok(createBackup, { as: saving })
  await ok(createExport, { as: saving, json: { format: 'json' } })
  await importing()
  await ok(setExportSchedule, {
    as: saving,
    path: { format: 'qif' },
    json: { every: 'week', day: 1, keep: 1 },
  })
  await rows("UPDATE export_schedules SET next_on = '2026-01-01' WHERE owner_id = ?", saving.id)
  await ok(exportAuditLog, { as: admin, json: { format: 'csv' } })
  await ok(emptyTrash, { as: await newOwner() })
  await leftovers(await newOwner())
  await departed()
  await broken(await newOwner())
  await alarmed()
  await ok(forgotPassword, { json: { email: 'nobody@coffer.test' } })
  await ok(forgotPassword, { json: { email: saving.email } })
  await ok(checkIntegrity, { as: admin })
  await ok(recalculateBalances, { as: admin })
  const ownerId = await planning()
  await newAccount(await newUser(), { currency: 'USD', openingDate: '2003-01-01' })
  await telling()
  await insertTask('recurring.settle', { ownerId })
  await insertTask('recurring.link', { ownerId, from: '', to: '2200-12-31' })
  await insertTask('user.erase', { userId: gone.id })
  await insertTask('periodLocks.seal', { lockId: await unsealed(await newOwner()) })
  for (const kind of Object.values(work.schedule).flat()) {
    await insertTask(kind, { day: dateInZone(Date.now() + 3 * DAY, 'UTC') })
  }
  await rows('DROP TRIGGER held')
  await rows('UPDATE users SET email_verified_at = 1')
  await storeCommit({
    type: 'file.downloaded',
    actorId: saving.id,
    events: [{ resourceType: 'attachment' }],
  })
  for (const { name } of work.readers ?? []) {
    await rows(
      'INSERT OR IGNORE INTO log_readers (name, cursor) SELECT ?, max(number) FROM log_events',
      name,
    )
  }
  await rows('UPDATE log_readers SET cursor = (SELECT max(number) FROM log_events)')
}
