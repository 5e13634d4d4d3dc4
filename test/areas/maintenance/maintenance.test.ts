import { describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { getJob } from '../../../src/areas/operations/jobs/jobs.routes.ts'
import {
  checkIntegrity,
  purgeDeleted,
  recalculateBalances,
} from '../../../src/areas/operations/maintenance/maintenance.routes.ts'
import { getSystemHealth } from '../../../src/areas/operations/metrics/metrics.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { deliver } from '../queue-tasks/tasks.ts'

const all = {
  postIntegrityCheck: checkIntegrity,
  postRecalculation: recalculateBalances,
  postPurge: purgeDeleted,
}

describe.each(Object.entries(all))('%s', (_, route) => {
  it('stores a job of the caller and tells it, once for each key', async () => {
    const as = await newAdmin()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const { status, body } = await call(route, { as, headers })
    expect(status).toBe(202)
    expect((await call(route, { as, headers })).body).toEqual(body)
    const stored = await rows<{ id: string }>(
      'SELECT id FROM tasks WHERE created_by = ? AND kind = ?',
      as.id,
      body.job.kind,
    )
    expect(stored).toEqual([{ id: body.job.id }])
    const job = await ok(getJob, { as, id: body.job.id })
    expect(job).toMatchObject({ id: body.job.id, kind: body.job.kind, summary: '' })
    expect(body.job).toMatchObject({ state: 'queued', attempts: 0, cancellable: true })
  })

  it('is done', async () => {
    const as = await newAdmin()
    const { job } = await ok(route, { as })
    await deliver(work, job.id)
    expect((await ok(getJob, { as, id: job.id })).state).toBe('succeeded')
  })

  it('is not for everybody', async () => {
    expect((await call(route, { as: await newUser() })).status).toBe(403)
  })
})

it('tells the result of a check among the health of the system', async () => {
  const as = await newAdmin()
  const { job } = await ok(checkIntegrity, { as })
  await deliver(work, job.id)
  const checks = () =>
    rows<{ at: number; resourceId: string }>(
      "SELECT at, resource_id AS resourceId FROM log_entries WHERE type = 'ledger.checked' ORDER BY number",
    )
  // The queue may have taken it before, and may be at it still.
  await vi.waitFor(
    async () => expect((await checks()).map(({ resourceId }) => resourceId)).toContain(job.id),
    { timeout: 60_000 },
  )
  const { ledgerCheck } = await ok(getSystemHealth, { as })
  // The queue may have run those of other tests since.
  const all = await checks()
  const since = all.slice(all.findIndex(({ resourceId }) => resourceId === job.id))
  expect(since.map(({ at }) => new Date(at).toISOString())).toContain(ledgerCheck?.at)
})

it('erases what was in the trash too long, and nothing else', async () => {
  const [admin, ada] = [await newAdmin(), await newUser()]
  const { id: accountId } = await newAccount(ada)
  const json = { kind: 'expense', accountId, date: '2026-01-01', amount: '1' } as const
  const trash = async () => {
    const { id } = await ok(createTransaction, { as: ada, json })
    await ok(deleteTransaction, { as: ada, id })
    return id
  }
  const [old, young] = [await trash(), await trash()]
  await rows('UPDATE transactions SET deleted_at = 1 WHERE id = ?', old)
  const { job } = await ok(purgeDeleted, { as: admin })
  await deliver(work, job.id)
  const left = await rows('SELECT id FROM transactions WHERE id IN (?, ?)', old, young)
  expect(left).toEqual([{ id: young }])
  const kinds = await rows('SELECT kind FROM tasks WHERE created_by = ? ORDER BY kind', admin.id)
  expect(kinds).toEqual([{ kind: 'files.purge' }, { kind: 'trash.purge' }])
})
