import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accountGroups, accounts } from '../../../../../drizzle/schema/accounts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { mustHaveFewerRows, writesOf } from '../../../../platform/database/owned-tables.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { among, db, nothing, type Statement } from '../../../../platform/database/statements.ts'
import { ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'
import { accountErrors, accountGroupErrors } from '../accounts.errors.ts'

/** A list of folders is read and shown as a whole. */
export const MOST_FOLDERS = 200

export type FolderRow = typeof accountGroups.$inferSelect

/** A folder with the accounts in it that the caller sees. */
export interface Group extends FolderRow {
  accountIds: string[]
}

const isMine = ({ caller }: SignedIn) => ownedBy(caller, accountGroups.ownerId)

/** In the order the user gave them, then by name. */
export const groupsOfUser = (ctx: SignedIn) =>
  db
    .select()
    .from(accountGroups)
    .where(isMine(ctx))
    .orderBy(accountGroups.order, accountGroups.nameKey)

export interface NamedGroup {
  id: string
  /** 1 if it contains an account that the caller sees. */
  isSeen: 0 | 1
}

/** The folder that a request names, if it names one. */
export const groupNamed = (ctx: SignedIn, id: string | null | undefined): Statement<NamedGroup[]> =>
  id
    ? db.all<NamedGroup>(sql`SELECT g.id, EXISTS (SELECT 1 FROM accounts a WHERE a.account_group_id = g.id
        AND a.id IN (${visibleAccountIds(ctx)})) AS isSeen
      FROM account_groups g WHERE g.id = ${id} AND ${ownedBy(ctx.caller, 'g.owner_id')}`)
    : nothing()

export const folderRows = writesOf(accountGroups)

export const mustHaveRoomForFolder = ({ ownerId }: FolderRow): Statement =>
  mustHaveFewerRows(accountGroups.ownerId, ownerId, MOST_FOLDERS, accountGroupErrors.tooMany)

const next = (ctx: SignedIn) => ({ version: sql`${accounts.version} + 1`, updatedAt: ctx.now })

const leave = (ctx: SignedIn, those: SQL | undefined) =>
  db
    .update(accounts)
    .set({ accountGroupId: null, ...next(ctx) })
    .where(and(ownedBy(ctx.caller, accounts.ownerId), those))

/** Accounts in the trash leave it, too, as it will not be there when they come back. */
export const emptyFolder = (ctx: SignedIn, id: string): Statement =>
  leave(ctx, eq(accounts.accountGroupId, id))

/** These accounts and no others are in it then; those in the trash stay where they are. */
export const placeInGroup = (ctx: SignedIn, groupId: string, ids: string[]): Statement[] => {
  return [
    leave(
      ctx,
      and(
        eq(accounts.accountGroupId, groupId),
        isNull(accounts.deletedAt),
        sql`${accounts.id} NOT IN ${among(ids)}`,
      ),
    ),
    db
      .update(accounts)
      .set({ accountGroupId: groupId, ...next(ctx) })
      .where(
        and(
          ownedBy(ctx.caller, accounts.ownerId),
          sql`${accounts.id} IN ${among(ids)} AND ${accounts.accountGroupId} IS NOT ${groupId}`,
        ),
      ),
  ]
}

/** Refuses unless it is a folder of the caller. */
export const mustBeOwnGroup = ({ caller }: SignedIn, id: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM account_groups WHERE id = ${id} AND ${ownedBy(caller, 'owner_id')})`,
    () => accountErrors.unknownGroup({ field: 'accountGroupId' }),
  )
