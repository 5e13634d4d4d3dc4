import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { users } from './system.ts'

/** The classes of storage for files, with their limits. */
export const storageClasses = sqliteTable(
  'storage_classes',
  {
    id: id(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull().unique(),
    r2StorageClass: text('r2_storage_class', {
      enum: ['Standard', 'InfrequentAccess'],
    }).notNull(),
    /** The beginning of the keys of its objects. */
    prefix: text('prefix').notNull(),
    /** Bytes that one person or one group may keep in it; null for any number. */
    quotaBytes: integer('quota_bytes'),
    maxObjectBytes: integer('max_object_bytes').notNull(),
    /** JSON array of media types. */
    allowedTypes: text('allowed_types').notNull(),
    /** Days after which its files are deleted; null for never. */
    retentionDays: integer('retention_days'),
    isDefault: flag('is_default').notNull().default(false),
    ...stamps,
  },
  (table) => [
    uniqueIndex('storage_classes_default')
      .on(table.isDefault)
      .where(sql`is_default = 1`),
  ],
)

/** A file in the bucket. The object is written before its row, and deleted after it. */
export const attachments = sqliteTable(
  'attachments',
  {
    id: id(),
    /** The uploader. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    /** The group whose members see it, and on whose quota it counts. */
    groupId: text('group_id'),
    storageClassId: text('storage_class_id')
      .notNull()
      .references(() => storageClasses.id),
    objectKey: text('object_key').notNull().unique(),
    fileName: text('file_name').notNull(),
    /** The type that its bytes show, not the one that the uploader states. */
    contentType: text('content_type').notNull(),
    size: integer('size').notNull(),
    /** Hexadecimal. */
    sha256: text('sha256').notNull(),
    title: text('title'),
    note: text('note'),
    ...stamps,
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    index('attachments_of_owner').on(table.ownerId, table.id),
    index('attachments_of_group')
      .on(table.groupId, table.id)
      .where(sql`group_id IS NOT NULL`),
    index('attachments_of_class').on(table.storageClassId, table.createdAt),
    index('attachments_to_purge')
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL`),
    check('attachments_size', sql`size >= 0`),
  ],
)

/** The transactions and accounts that a file belongs to. */
export const attachmentLinks = sqliteTable(
  'attachment_links',
  {
    id: id(),
    attachmentId: text('attachment_id')
      .notNull()
      .references(() => attachments.id),
    kind: text('kind', { enum: ['transaction', 'account'] }).notNull(),
    /** The id of the transaction (not of a leg of a transfer) or the account. */
    targetId: text('target_id').notNull(),
    /** The owner of that transaction or account. */
    ownerId: text('owner_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('attachment_links_once').on(table.targetId, table.attachmentId),
    index('attachment_links_of_attachment').on(table.attachmentId, table.id),
    index('attachment_links_of_owner').on(table.ownerId),
  ],
)

/** Projection kept by triggers on `attachments`: what a person or a group keeps in a class, also in the trash. */
export const storageUsage = sqliteTable(
  'storage_usage',
  {
    storageClassId: text('storage_class_id')
      .notNull()
      .references(() => storageClasses.id),
    /** The group, or else the owner. */
    holderId: text('holder_id').notNull(),
    bytes: integer('bytes').notNull(),
    objects: integer('objects').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.storageClassId, table.holderId] }),
    index('storage_usage_of_holder').on(table.holderId),
  ],
)

/** The picture of a user. */
export const userAvatars = sqliteTable('user_avatars', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  objectKey: text('object_key').notNull().unique(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  sha256: text('sha256').notNull(),
  version: integer('version').notNull().default(1),
  updatedAt: instant('updated_at').notNull(),
})

/** Files that the service makes for somebody: backups of all that one owns, exports of some of it, exports of the log. */
export const archives = sqliteTable(
  'archives',
  {
    id: id(),
    kind: text('kind', { enum: ['backup', 'export', 'auditLog'] }).notNull(),
    /** The user who requested it; nobody else sees it. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    taskId: text('task_id'),
    /** The schedule that had it made, which may be gone. */
    scheduleId: text('schedule_id'),
    state: text('state', { enum: ['queued', 'ready', 'failed', 'expired'] }).notNull(),
    /** JSON: what was asked for. */
    filter: text('filter'),
    objectKey: text('object_key').unique(),
    size: integer('size'),
    sha256: text('sha256'),
    /** JSON: what is in it. */
    manifest: text('manifest'),
    finishedAt: instant('finished_at'),
    /** When its object is deleted. */
    expiresAt: instant('expires_at'),
    ...stamps,
  },
  (table) => [
    index('archives_of_owner').on(table.ownerId, table.kind, table.id),
    index('archives_to_expire')
      .on(table.expiresAt)
      .where(sql`object_key IS NOT NULL`),
  ],
)

/** An archive that somebody sends in parts. */
export const backupUploads = sqliteTable(
  'backup_uploads',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    /** The size of all parts together, as declared. */
    size: integer('size').notNull(),
    /** Hexadecimal, as declared. */
    sha256: text('sha256').notNull(),
    /** When the bytes were found to have this hash; from then on no part changes. */
    checkedAt: instant('checked_at'),
    /** When it is deleted, unless it is used before. */
    expiresAt: instant('expires_at').notNull(),
    ...stamps,
  },
  (table) => [
    index('backup_uploads_of_owner').on(table.ownerId, table.id),
    index('backup_uploads_to_expire').on(table.expiresAt),
    check('backup_uploads_size', sql`size > 0`),
  ],
)

/** A part of an archive that is sent, each an object of its own. */
export const backupUploadParts = sqliteTable(
  'backup_upload_parts',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    uploadId: text('upload_id')
      .notNull()
      .references(() => backupUploads.id),
    /** From 1. */
    number: integer('number').notNull(),
    objectKey: text('object_key').notNull().unique(),
    size: integer('size').notNull(),
    /** Hexadecimal. */
    sha256: text('sha256').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('backup_upload_parts_once').on(table.uploadId, table.number),
    index('backup_upload_parts_of_owner').on(table.ownerId),
  ],
)

/** A backup that is put back for somebody, step by step. */
export const restores = sqliteTable(
  'restores',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    taskId: text('task_id'),
    state: text('state', {
      enum: ['checking', 'writing', 'comparing', 'reading', 'takingBack', 'done', 'failed'],
    }).notNull(),
    mode: text('mode', { enum: ['empty', 'merge'] })
      .notNull()
      .default('empty'),
    /** JSON: own accounts by the accounts of the archive that they stand for. */
    accountMap: text('account_map').notNull().default('{}'),
    dryRun: flag('dry_run').notNull(),
    fileName: text('file_name'),
    size: integer('size').notNull(),
    /** Hexadecimal. */
    sha256: text('sha256').notNull(),
    /** JSON list of the objects that the archive is in, one behind the other. */
    objects: text('objects').notNull(),
    /** The object that was stored for this alone; it goes at the end. */
    objectKey: text('object_key').unique(),
    /** JSON: what becomes of the ids in the archive; null until it was checked. */
    mapping: text('mapping'),
    /** JSON: the rows of which a user has one at most, as they were, by their tables. */
    replaced: text('replaced').notNull().default('{}'),
    /** The next step, and the next line of its table. */
    nextStep: integer('next_step').notNull().default(0),
    nextLine: integer('next_line').notNull().default(0),
    /** JSON: what was found and done. */
    report: text('report').notNull().default('{}'),
    finishedAt: instant('finished_at'),
    ...stamps,
  },
  (table) => [
    index('restores_of_owner').on(table.ownerId, table.id),
    index('restores_by_age').on(table.createdAt),
    // Few are: so those that no task goes on with are found at once, and whose data is not complete yet.
    index('restores_under_way')
      .on(table.ownerId)
      .where(sql`state NOT IN ('done', 'failed')`),
  ],
)

/** The results of merging rows of an archive, so that the merge can be undone; deleted in the following night. */
export const restoredRows = sqliteTable(
  'restored_rows',
  {
    restoreId: text('restore_id').notNull(),
    ownerId: text('owner_id').notNull(),
    /** Its id, or what it is known by otherwise. */
    rowId: text('row_id').notNull(),
    /** Its id where the row was added; the row that stands for it; null where it was left out. */
    becomes: text('becomes'),
  },
  (table) => [
    primaryKey({ columns: [table.restoreId, table.rowId] }),
    index('restored_rows_of_owner').on(table.ownerId, table.rowId),
  ],
)

/** The recurring exports of users: one for each format. */
export const exportSchedules = sqliteTable(
  'export_schedules',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    format: text('format', {
      enum: ['csv', 'csvExcel', 'json', 'ndjson', 'qif', 'ofx', 'hledger', 'ledger', 'beancount'],
    }).notNull(),
    /** JSON. */
    options: text('options').notNull(),
    /** JSON: what is selected of the data. */
    scope: text('scope').notNull(),
    every: text('every', { enum: ['week', 'month'] }).notNull(),
    /** The day of the week, from Monday, or of the month. */
    day: integer('day').notNull(),
    /** The number of its exports that are kept beyond their seven days. */
    keep: integer('keep').notNull(),
    /** The calendar day in UTC on which the next one is made. */
    nextOn: text('next_on').notNull(),
    ...stamps,
  },
  (table) => [
    uniqueIndex('export_schedules_once').on(table.ownerId, table.format),
    index('export_schedules_due').on(table.nextOn, table.id),
    check('export_schedules_keep', sql`keep BETWEEN 1 AND 12`),
  ],
)
