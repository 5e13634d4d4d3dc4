import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { restores } from '../../../../../drizzle/schema/files.ts'
import type { tasks } from '../../../../../drizzle/schema/system.ts'
import { type ArchivedTable, emptinessOf, nameOf } from '../../../../platform/archived-tables.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/refusals.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../../platform/session.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { backupErrors } from '../backups.errors.ts'

export type StoredRestore = typeof restores.$inferSelect

const told = {
  id: restores.id,
  taskId: restores.taskId,
  stored: restores.state,
  task: sql<
    (typeof tasks.$inferSelect)['state'] | null
  >`(SELECT t.state FROM tasks t WHERE t.id = ${restores.taskId})`.as('task'),
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

/** Newest first, one row more than the page. */
export const pageOfRestores = (ctx: SignedIn, { limit, after }: PageRequest) =>
  db
    .select(told)
    .from(restores)
    .where(
      and(
        ownedBy(ctx.caller, restores.ownerId),
        after?.[0] === undefined ? undefined : lt(restores.id, after[0]),
      ),
    )
    .orderBy(desc(restores.id))
    .limit(limit + 1)

export const countOfRestores = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(restores)
    .where(ownedBy(ctx.caller, restores.ownerId))

export const restoreById = (ctx: SignedIn, id: string) =>
  db
    .select(told)
    .from(restores)
    .where(and(ownedBy(ctx.caller, restores.ownerId), eq(restores.id, id)))

/** Refuses while another one is under way, and unless the user has nothing that an archive could hold. */
export const insertRestore = (row: StoredRestore): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM restores r JOIN tasks t ON t.id = r.task_id
      WHERE r.owner_id = ${row.ownerId} AND r.state NOT IN ('done', 'failed')
        AND t.state IN ('queued', 'running'))`,
    backupErrors.restoreUnderWay,
  ),
  db.insert(restores).values(row),
]

/** Of which tables a user has rows, by their names. */
export const filledTables = (
  tables: readonly ArchivedTable[],
  ownerId: string,
): Statement<Record<string, 0 | 1>[]> =>
  db.all(
    sql`SELECT ${sql.join(
      tables.map(
        (one) => sql`EXISTS (${emptinessOf(one, ownerId)}) AS ${sql.identifier(nameOf(one))}`,
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
  db.all<StoredRow & ProfileRow>(
    sql`SELECT r.id, r.state, r.dry_run AS dryRun, r.size, r.sha256, r.objects, r.object_key AS objectKey, r.mapping,
        r.next_step AS nextStep, r.next_line AS nextLine, r.report, r.created_at AS createdAt, ${sql.raw(PROFILE_COLUMNS)}
      FROM restores r JOIN users u ON u.id = r.owner_id WHERE r.id = ${id} AND r.state NOT IN ('done', 'failed')`,
  )

/** As it is read for the job. */
export interface StoredRow extends Pick<
  StoredRestore,
  | 'id'
  | 'state'
  | 'size'
  | 'sha256'
  | 'objects'
  | 'objectKey'
  | 'mapping'
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
  { id, state, nextStep, nextLine }: Pick<StoredRow, 'id' | 'state' | 'nextStep' | 'nextLine'>,
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

/** What the data of a user is changed by. */
const CHANGES: SQL = sql.raw(
  ['account', 'transaction', 'transfer', 'category', 'payee', 'tag']
    .map((resource) => `kind GLOB '${resource}.*'`)
    .join(' OR '),
)

/** Refuses when something was changed in the data since the restore was asked for. */
export const mustBeUntouched = (restoreId: string, ownerId: string, refusal: Refusal): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM (
        SELECT ifnull(e.type, c.type) AS kind FROM log_commits c JOIN log_events e
          ON e.number BETWEEN c.first_event AND c.first_event + c.event_count - 1
        WHERE c.owner_id = ${ownerId} AND c.number > (${asked(restoreId)})
        UNION ALL
        SELECT ifnull(o.type, k.type) FROM log_events o JOIN log_commits k ON k.number = o.commit_number
        WHERE o.owner_id = ${ownerId} AND o.commit_number > (${asked(restoreId)})
      ) WHERE ${CHANGES})`,
    refusal,
  )

/** The commit that stored a restore. */
const asked = (restoreId: string): SQL =>
  sql`SELECT min(b.commit_number) FROM log_events b WHERE b.resource_id = ${restoreId}`

/** Refuses unless the restore is being taken back. */
export const mustBeTakenBack = (id: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM restores r WHERE r.id = ${id} AND r.state = 'takingBack')`,
    changedMeanwhile,
  )

/** Which of these users there are. */
export const knownUsers = (ids: string[]) =>
  db.all<{ id: string }>(sql`SELECT u.id FROM users u WHERE u.id IN ${among(ids)}`)

/** Deletes, every night, old reports, with what is left of those that never ended. */
export const deleteOldRestores = (before: number): Statement =>
  db.run(sql`DELETE FROM restores WHERE created_at <= ${before}`)
