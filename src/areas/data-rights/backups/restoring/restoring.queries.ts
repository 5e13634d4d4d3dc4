import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { restores } from '../../../../../drizzle/schema/files.ts'
import type { tasks } from '../../../../../drizzle/schema/system.ts'
import { emptinessOf } from '../../../../platform/owned-data/archived-merging.ts'
import { type ArchivedTable, tableNameOf } from '../../../../platform/owned-data/archived-tables.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/database/refusals.ts'
import { withReplaced } from '../../../../platform/owned-data/single-rows.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/database/session.ts'
import {
  among,
  db,
  pageUpToBytes,
  type Statement,
} from '../../../../platform/database/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { mustHaveNoWipe } from '../../own-user/own-user.public.ts'
import { backupErrors } from '../backups.errors.ts'

export type StoredRestore = typeof restores.$inferSelect

const columns = {
  id: restores.id,
  taskId: restores.taskId,
  stored: restores.state,
  task: sql<
    (typeof tasks.$inferSelect)['state'] | null
  >`(SELECT t.state FROM tasks t WHERE t.id = ${restores.taskId})`.as('task'),
  mode: restores.mode,
  dryRun: restores.dryRun,
  fileName: restores.fileName,
  size: restores.size,
  sha256: restores.sha256,
  report: restores.report,
  finishedAt: restores.finishedAt,
  version: restores.version,
  createdAt: restores.createdAt,
  updatedAt: restores.updatedAt,
}

export type RestoreRow = Awaited<ReturnType<typeof pageOfRestores>>[number]

/** Newest first, one row more than the page, which ends early where reports are long. */
export const pageOfRestores = (ctx: SignedIn, { limit, after }: PageRequest) =>
  pageUpToBytes(
    db
      .select(columns)
      .from(restores)
      .where(
        and(
          ownedBy(ctx.caller, restores.ownerId),
          after?.[0] === undefined ? undefined : lt(restores.id, after[0]),
        ),
      )
      .orderBy(desc(restores.id))
      .limit(limit + 1),
  )

export const countOfRestores = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(restores)
    .where(ownedBy(ctx.caller, restores.ownerId))

export const restoreById = (ctx: SignedIn, id: string) =>
  db
    .select(columns)
    .from(restores)
    .where(and(ownedBy(ctx.caller, restores.ownerId), eq(restores.id, id)))

const underWay = (ownerId: string): SQL =>
  sql`SELECT r.id FROM restores r WHERE r.owner_id = ${ownerId} AND r.state NOT IN ('done', 'failed')`

export const restoresUnderWay = (ownerId: string) => db.all<{ id: string }>(underWay(ownerId))

/**
 * Refuses while another one has not ended; one whose task is dead is taken back first. Refuses while there is a wipe, which would erase
 * what is restored, as that keeps the dates of the archive.
 */
export const insertRestore = (row: StoredRestore): Statement[] => [
  refuseIf(sql`EXISTS (${underWay(row.ownerId)})`, backupErrors.restoreUnderWay),
  ...(row.dryRun ? [] : [mustHaveNoWipe(row.ownerId, backupErrors.wipeScheduled)]),
  db.insert(restores).values(row),
]

/** Finds the tables in which a user has rows. */
export const filledTables = (
  tables: readonly ArchivedTable[],
  ownerId: string,
): Statement<Record<string, 0 | 1>[]> =>
  db.all(
    sql`SELECT ${sql.join(
      tables.map(
        (one) => sql`EXISTS (${emptinessOf(one, ownerId)}) AS ${sql.identifier(tableNameOf(one))}`,
      ),
      sql`, `,
    )}`,
  )

/** Refuses where a user has rows of a table. */
export const mustBeEmpty = (tables: readonly ArchivedTable[], ownerId: string): Statement =>
  refuseIf(
    sql.join(
      tables.map((one) => sql`EXISTS (${emptinessOf(one, ownerId)})`),
      sql` OR `,
    ),
    () => backupErrors.notEmpty({ what: 'data' }),
  )

/** A restore to go on with, and whoever it is for as the session check would find them. */
export const restoreToDo = (id: string) =>
  db.all<RunningRestore & ProfileRow>(
    sql`SELECT r.id, r.state, r.mode, r.account_map AS accountMap, r.dry_run AS dryRun, r.size, r.sha256, r.objects, r.object_key AS objectKey, r.mapping, r.replaced,
        r.next_step AS nextStep, r.next_line AS nextLine, r.report, r.created_at AS createdAt, ${sql.raw(PROFILE_COLUMNS)}
      FROM restores r JOIN users u ON u.id = r.owner_id WHERE r.id = ${id} AND r.state NOT IN ('done', 'failed')`,
  )

/** A restore as the job reads it. */
export interface RunningRestore extends Pick<
  StoredRestore,
  | 'id'
  | 'state'
  | 'mode'
  | 'accountMap'
  | 'size'
  | 'sha256'
  | 'objects'
  | 'objectKey'
  | 'mapping'
  | 'replaced'
  | 'nextStep'
  | 'nextLine'
  | 'report'
  | 'createdAt'
> {
  dryRun: 0 | 1
}

/** Refuses where somebody else went on with it meanwhile. */
export const advance = (
  ctx: Context,
  { id, state, nextStep, nextLine }: Pick<RunningRestore, 'id' | 'state' | 'nextStep' | 'nextLine'>,
  changed: Partial<StoredRestore>,
): Statement[] => [
  db
    .update(restores)
    .set({ ...changed, version: sql`${restores.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(restores.id, id),
        eq(restores.state, state),
        eq(restores.nextStep, nextStep),
        eq(restores.nextLine, nextLine),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

/** Notes what a row of which the user has one at most is about to replace. */
export const keepReplaced = (
  { id }: Pick<RunningRestore, 'id'>,
  table: ArchivedTable,
  ownerId: string,
  version: number,
): Statement =>
  db
    .update(restores)
    .set({ replaced: withReplaced(restores.replaced, table, ownerId, version) })
    .where(eq(restores.id, id))

/** The resources in backups that people change, as SQL. */
const CHANGES: SQL = sql.raw(
  [
    ...['account', 'accountGroup', 'accountHistory', 'transaction', 'transfer', 'trash'],
    ...['category', 'payee', 'tag', 'exchangeRate', 'valuation', 'attachment'],
    ...['assertion', 'reconciliation', 'period', 'import', 'importProfile', 'exportSchedule'],
    ...['budget', 'budgetLine', 'budgetTemplate'],
  ]
    .map((resource) => `kind GLOB '${resource}.*'`)
    .join(' OR '),
)

/** Tells whether somebody changed the data since the restore was asked for; what the service does by itself is no change. */
const isTouched = (restoreId: string, ownerId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM (
      SELECT ifnull(e.type, c.type) AS kind FROM log_commits c JOIN log_events e
        ON e.number BETWEEN c.first_event AND c.first_event + c.event_count - 1
      WHERE c.owner_id = ${ownerId} AND c.actor_id IS NOT NULL AND c.number > (${asked(restoreId)})
      UNION ALL
      SELECT ifnull(o.type, k.type) FROM log_events o JOIN log_commits k ON k.number = o.commit_number
      WHERE o.owner_id = ${ownerId} AND k.actor_id IS NOT NULL AND o.commit_number > (${asked(restoreId)})
    ) WHERE ${CHANGES})`

/** One row if somebody changed the data since the restore was asked for. */
export const changedSinceRestore = (restoreId: string, ownerId: string) =>
  db.all<{ touched: 1 }>(sql`SELECT 1 AS touched WHERE ${isTouched(restoreId, ownerId)}`)

/** Refuses when somebody changed the data since the restore was asked for. */
export const mustBeUntouched = (restoreId: string, ownerId: string, refusal: Refusal): Statement =>
  refuseIf(isTouched(restoreId, ownerId), refusal)

/** The commit that stored a restore. */
const asked = (restoreId: string): SQL =>
  sql`SELECT min(b.commit_number) FROM log_events b WHERE b.resource_id = ${restoreId}`

/** Refuses unless the restore is being taken back. */
export const mustBeTakenBack = (id: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM restores r WHERE r.id = ${id} AND r.state = 'takingBack')`,
    changedMeanwhile,
  )

/** The value of `becomes` of a row that was added and is not taken back. */
const STAYS = ''

/** Notes that rows that a restore added are not taken back. */
export const letRowsStay = (restoreId: string, ownerId: string, rowIds: string[]): Statement =>
  db.run(sql`UPDATE restored_rows SET becomes = ${STAYS}
    WHERE restore_id = ${restoreId} AND owner_id = ${ownerId} AND row_id IN ${among(rowIds)}`)

/** Rows that one query looks for. */
export const LOOKED_FOR_AT_ONCE = 5000

/**
 * Counts the rows that a restore added to a table and that still exist, for some in the order of their ids.
 * @param after the last id that was looked for; its prefix at first
 */
export const stillThere = (
  restoreId: string,
  table: ArchivedTable,
  { prefix, after }: { prefix: string; after: string },
) =>
  db.all<{ seen: number; there: number; last: string | null }>(
    sql`SELECT count(*) AS seen, count(t.id) AS there, max(added.row_id) AS last
      FROM (SELECT row_id, becomes FROM restored_rows WHERE restore_id = ${restoreId} AND row_id > ${after}
          AND row_id < ${`${prefix}~`} ORDER BY row_id LIMIT ${LOOKED_FOR_AT_ONCE}) added
        LEFT JOIN ${table.table} t ON t.id = added.row_id AND added.becomes IN (added.row_id, ${STAYS})`,
  )

export type DeadRestore = Pick<StoredRestore, 'id' | 'ownerId' | 'report' | 'version'>

/** Some restores that have not ended, and that no task goes on with, after this one in the order of their ids. */
export const deadRestores = (after: string, limit: number) =>
  db.all<DeadRestore>(
    sql`SELECT r.id, r.owner_id AS ownerId, r.report, r.version FROM restores r
      WHERE r.state NOT IN ('done', 'failed')
        AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = r.task_id AND t.state IN ('queued', 'running'))
        AND r.id > ${after} ORDER BY r.id LIMIT ${limit}`,
  )

/** Has another task take a dead restore back, unless somebody went on with it meanwhile. */
export const takeDeadBack = (
  ctx: Context,
  { id, version }: Pick<StoredRestore, 'id' | 'version'>,
  changed: Pick<StoredRestore, 'taskId' | 'report'>,
): Statement[] => [
  db
    .update(restores)
    .set({ ...changed, state: 'takingBack', version: version + 1, updatedAt: ctx.now })
    .where(and(eq(restores.id, id), eq(restores.version, version))),
  requireChangedOne(changedMeanwhile),
]

/** Finds the users among these who exist. */
export const knownUsers = (ids: string[]) =>
  db.all<{ id: string }>(sql`SELECT u.id FROM users u WHERE u.id IN ${among(ids)}`)

/** Deletes, every night, old reports. */
export const deleteOldRestores = (before: number): Statement =>
  db.run(sql`DELETE FROM restores WHERE created_at <= ${before} AND state IN ('done', 'failed')`)
