import { env } from 'cloudflare:workers'
import { rows } from '../../support/api.ts'
import type { TestUser } from '../../support/world.ts'
import { someId } from '../../support/of-file.ts'

const insert = (table: string, row: Record<string, string | number>): Promise<object[]> =>
  rows(
    `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join()})`,
    ...Object.values(row),
  )

const stamps = { created_at: 1, updated_at: 1 }

/** A budget of a user with everything that hangs on one, and something that the user was told. */
export async function plan(
  { id: ownerId }: TestUser,
  word: string,
  categoryId: string,
): Promise<void> {
  const [budgetId, lineId] = [someId('bud'), someId('bln')]
  const of = { budget_id: budgetId }
  const inPeriod = { ...of, period: '2026-01-01' }
  const words = { name: word, name_key: word, note: word, color: word, icon: word }
  await insert('budgets', {
    ...{ id: budgetId, owner_id: ownerId, created_by: ownerId, ...words, mode: 'envelope' },
    ...{ currency: 'EUR', unit: 'month', unit_count: 1, anchor: '2026-01-01', weekend: 'keep' },
    ...{ first_period: '2026-01-01', first_day: '2026-01-01', starts_on: '2026-01-01' },
    ...{ time_zone: 'UTC', accounts: 'onBudget', strict: 0, count_pending: 1, count_transfers: 0 },
    ...stamps,
  })
  await insert('budget_lines', {
    ...{ id: lineId, ...of, kind: 'line', ...words, scope_kind: 'category' },
    ...stamps,
  })
  await insert('budget_line_scopes', {
    line_id: lineId,
    target_id: categoryId,
    ...of,
    exclusive: 1,
  })
  for (const line of ['', lineId]) {
    await insert('budget_line_changes', { ...of, line_id: line, from_period: '', policy: 'both' })
  }
  await insert('budget_amounts', { ...inPeriod, line_id: lineId, amount_minor: 100, note: word })
  await insert('budget_periods', { ...inPeriod, held_minor: 0, note: word, version: 2 })
  await insert('budget_movements', {
    ...{ id: someId('bmv'), ...inPeriod, to_line_id: lineId, amount_minor: 100 },
    ...{ kind: 'assign', note: word, actor_id: ownerId, created_at: 1 },
  })
  await insert('budget_templates', {
    ...{ id: someId('btp'), ...of, name: word, name_key: word, items: '[]' },
    ...stamps,
  })
  await insert('budget_alerts', {
    ...{
      ...inPeriod,
      line_id: lineId,
      threshold: 0,
      total_minor: 1,
      spent_minor: 2,
      created_at: 1,
    },
  })
  await insert('period_locks', {
    ...{ id: someId('plk'), owner_id: ownerId, through: '2000-12-31', kind: 'soft' },
    ...{ reason: word, created_by: ownerId, balances: '[]', ...stamps },
  })
  await insert('export_schedules', {
    ...{ id: someId('exs'), owner_id: ownerId, format: 'csv', options: '{}' },
    ...{ scope: JSON.stringify({ text: word, shared: false, what: ['transactions'] }) },
    ...{ every: 'month', day: 1, keep: 1, next_on: '2199-01-01', ...stamps },
  })
  const uploadId = someId('upl')
  await insert('backup_uploads', {
    ...{ id: uploadId, owner_id: ownerId, size: 1, sha256: word, expires_at: 9e15, ...stamps },
  })
  await env.FILES.put(`uploads/${uploadId}`, `a part with ${word}`)
  await insert('backup_upload_parts', {
    ...{ id: `prt_${crypto.randomUUID()}`, owner_id: ownerId, upload_id: uploadId, number: 1 },
    ...{ object_key: `uploads/${uploadId}`, size: 1, sha256: word, created_at: 1 },
  })
  await insert('restores', {
    ...{ id: someId('rst'), owner_id: ownerId, state: 'done', dry_run: 0, file_name: word },
    ...{ size: 1, sha256: '', objects: '[]', ...stamps },
  })
  await insert('restored_rows', {
    ...{ restore_id: someId('rst'), owner_id: ownerId, row_id: someId('tag'), becomes: word },
  })
  await insert('notifications', {
    ...{ id: someId('ntf'), user_id: ownerId, kind: 'budget.thresholdReached' },
    ...{ resource_type: 'budget', resource_id: budgetId, facts: '{}', group_key: budgetId },
    created_at: 1,
  })
  await insert('log_listeners', { owner_id: ownerId, reader: 'test', cursor: 0 })
}
