/** Descriptions of operations, by `operationId`. */
export const OTHERS: Record<string, string> = {
  listBackups: 'Lists the newest backup first.',
  createBackup:
    'Answers at once and makes the archive in the background. `GET /backup/{id}` shows when it is ready.',
  getBackup: 'Shows the progress of the backup and, once it is ready, what it contains.',
  downloadBackup: 'Returns the archive itself. Each download is logged.',
  deleteBackup: 'A backup that is still being made can be deleted, too.',
  listExportFormats:
    'Shows for each format what it can contain, which options it has, and what it leaves out.',
  listExports:
    'Lists the newest export first. A token that is restricted to some accounts sees only exports that were made with such a token.',
  createExport:
    'Answers at once and makes the file in the background. `GET /export/{id}` shows when it is ready. `scope` takes the filters of `GET /transaction`. Two exports of the same data have the same bytes.',
  getExport: 'Shows the progress of the export, and what the file leaves out.',
  downloadExport: 'Returns the file itself. Each download is logged.',
  deleteExport: 'An export that is still being made can be deleted, too.',
  listExportSchedules:
    'Lists all schedules of the caller, at most five, in the order of their formats.',
  setExportSchedule:
    'The service makes an export in the night of `nextDate`, tomorrow at the earliest, and then each week or month. It includes accounts that are added later. The newest `keep` exports of the schedule do not expire while they fit into the storage quota. They do not count towards the limit of ten exports.',
  deleteExportSchedule: 'Exports that the schedule kept can be downloaded for another seven days.',
  createBackupUpload:
    'Declare the size, at most 2 GiB, and the SHA-256 of the archive, then send its parts with `PUT /backup/upload/{id}/part/{n}`. A user can have three uploads. An upload that is not used for a day is deleted.',
  deleteBackupUpload: 'A restore that still reads the upload fails.',
  putBackupUploadPart:
    'Send the bytes of the part as the body, not as a form. Each part has 5 to 50 MiB; the last one may be smaller. Parts can be sent in any order, and again. Once the archive is verified or restored, its parts cannot change.',
  verifyBackup:
    'Send the bytes of an archive of at most 50 MiB as the body, not as a form. For a larger one, leave the body empty and name a complete upload as `uploadId`. To verify your own backup, name it as `backupId`. All files are compared with the manifest, all references with the archive, and all balances with the sums of their transactions. Nothing is restored.',
  restoreBackup:
    'Send the bytes of an archive of at most 50 MiB as the body, or name an upload or a backup. The caller must have no data yet, unless `mode` is `merge`: then missing data is added, and existing data does not change. The whole archive is checked before anything is stored, and all data is compared with it at the end; if anything differs, everything that was added is removed again. With `dryRun`, the archive is only checked. While a wipe of data is scheduled, nothing can be restored. `GET /backup/restore/{id}` shows the result.',
  listRestores: 'Lists the newest restore first.',
  getRestore:
    'Shows the progress of the restore. Once it has ended, the answer shows what was restored, or why it failed.',
  setAvatar: 'The picture must be a PNG, JPEG or WebP file of at most 512 KiB.',
  deleteOwnUser:
    'The user is erased after a grace period, and can be restored until then. All other sessions and all personal access tokens end.',
  restoreOwnUser: 'Cancels the deletion that `DELETE /user` requested.',
  updateProfile: 'Fields that are left out keep their values.',
  getPreferences: 'Preferences that were never set have their default values.',
  updatePreferences: 'Changes the preferences that are sent. Send null to restore a default.',
  getStatistics: 'Counts the caller’s data by kind, and shows the period that it covers.',
  wipeData:
    'The chosen kinds of data are erased after 7 days. Data that is created in the meantime is kept. A wipe cannot be requested while a backup is restored.',
  getWipe: 'Shows which of the caller’s data will be erased, and when.',
  undoWipe: 'Keeps the data that `POST /user/data/wipe` would have erased.',
  listAttachments:
    'Lists the caller’s files, those of their groups, and those attached to transactions and accounts that the caller sees.',
  getAttachmentUsage:
    'Shows how much the caller and their groups store in each storage class, and how much they may store.',
  updateAttachment:
    'Changes the name, the title or the note. Fields that are left out keep their values.',
  deleteAttachment: 'The file can be restored for 30 days.',
  restoreAttachment: 'Only the user who uploaded the file can restore it.',
  downloadAttachment: 'Returns the bytes of the file. Send `Range` to get a part of them.',
  createDownloadLink:
    'Use the link in a viewer or a program that cannot send a token. Anyone who has the link can open the file while the link works.',
  listDownloads: 'Lists the latest download first.',
  followDownloadLink: 'The link works only while its creator can see the file.',
  linkAttachment:
    'Attaches the file to a transaction or an account. Everyone who sees that transaction or account also sees the file.',
  unlinkAttachment: 'The file itself is kept.',
  createAttachment:
    'Send the bytes of the file as the body, not a form. The media type is detected from the content. `linkKind` and `linkId` attach the file in the same request.',
  setGroupStorageClass:
    'New files of the group are stored in this class. Send null to use the default class.',
  listOwnStorageClasses:
    'Lists the classes that store the files of the caller and of their groups, with the limits for files.',
  listStorageClasses: 'Lists the classes by name.',
  createStorageClass: 'If `isDefault` is true, the new class replaces the current default class.',
  updateStorageClass:
    'Changes the fields that are sent. Files that are already stored stay where they are.',
  deleteStorageClass:
    'A class can be deleted only if it has no files and no groups use it. The default class cannot be deleted.',
  getStorageClassUsage: 'Shows how many bytes and files groups and users store in the class.',
  listOwnAuditLog:
    'Lists what was done to the caller’s data and what the caller did, newest first.',
  listAuditLogs:
    'Lists the newest entry first. Without `since` and without an id, only the last 31 days are searched. Account numbers and free text are masked unless the caller has the permission `auditLogTexts.read`.',
  getAuditLog:
    'Shows everything that the entry changed. Account numbers and free text are masked unless the caller has the permission `auditLogTexts.read`.',
  verifyAuditLog: 'Compares the log with its hash chain, up to 1,000 commits per request.',
  exportAuditLog:
    'Starts a task that writes the matching entries to a file. Only one export can be made at a time. Account numbers and free text are masked unless the caller has the permission `auditLogTexts.read`.',
  getAuditLogExport: 'Shows the progress of one of the caller’s exports.',
  downloadAuditLogExport: 'An export can be downloaded for seven days. Each download is logged.',
  getNetWorth:
    'Accounts without a rate for `currency` are listed but left out of the converted totals.',
  getNetWorthHistory:
    'Shows the net worth at the end of each day, week or month, converted at the rates of that day.',
  listJobs: 'Lists the background jobs that the caller started, newest first.',
  getJob:
    'Repeat the request every few seconds until `state` is `succeeded`, `failed`, `cancelled` or `dead`.',
  cancelJob: 'A waiting job is cancelled. A running job is asked to stop after its current step.',
  checkIntegrity:
    'Starts a task that checks the ledger of all users for contradictions. `GET /admin/system-health` shows the result.',
  recalculateBalances:
    'Starts a task that recalculates balances and sums that differ from the entries.',
  purgeDeleted:
    'Starts a task that erases everything that has been in the trash for 30 days, and files whose retention period is over.',
  getDownloadMetrics: 'Shows who downloaded what, and how many bytes, according to the audit log.',
  getGrowthTrends: 'Counts registrations and downloads by day, according to the audit log.',
  getSystemHealth:
    'Checks the database, the file storage and the queue, and lists problems with tasks, migrations, clocks, the ledger and the log.',
  getMetrics: 'Counts users, rows, files and tasks, recent changes, and failures.',
  getStorageMetrics: 'Shows how much groups and users store in each storage class.',
  getActiveUsers: 'Counts the users who changed something in the last day, week and month.',
  listAllQueueTasks:
    'Searches the tasks of all users and of the service. The filters are in the body.',
  getQueueTaskStatistics:
    'Counts tasks by kind and state, and shows how long due tasks have waited.',
  purgeQueueTasks:
    'Deletes tasks that ended more than the given number of days ago, up to 5,000 per request.',
  getQueueTask: 'Shows the number of attempts and the last error.',
  retryQueueTask: 'Queues a failed or cancelled task again.',
  cancelQueueTask: 'A waiting task is cancelled. A running task is asked to stop.',
  getAPIReference: 'This operation exists only in development builds.',
  getHealth:
    'Use this for load balancers. `GET /health/ready` also checks the database, the files and the queue.',
  getReadiness:
    'Checks whether the database, the bucket and the queue respond, and every ten seconds whether the database can store something. The status is 503 if not.',
  getVersion: 'Shows the versions of the build and of the API.',
  listGroupActivity:
    'Lists what happened in the group and to everything shared with it, newest first.',
  listAllGroups: 'Shows how many members and accounts each group has, newest group first.',
  updateAnyGroup: 'While a group is suspended, nothing is shared through it.',
  deleteAnyGroup:
    'Accounts that were shared with the group are again visible only to their owners.',
  removeAnyGroupMember: 'Every member except the owner can be removed.',
  listOwnGroups: 'Lists the groups that the caller is a member of, in order of creation.',
  createGroup:
    'Next, invite members with `POST /group/{id}/invite`, and share accounts with `PUT /account/{id}/share-group`.',
  getGroup: 'The caller must be a member of the group. The answer includes their role.',
  updateGroup:
    'Changes the fields that are sent. The owner and administrators of the group can do this.',
  deleteGroup:
    'Only the owner can delete the group. Its shares end, so shared accounts are again visible only to their owners.',
  listReceivedGroupInvites:
    'Lists open invitations to the caller’s own address once that address is confirmed, newest first.',
  acceptGroupInvite:
    'Send the code of the invitation as `token`, or the `inviteId` of an invitation to the caller’s own address.',
  declineGroupInvite: 'The code of the invitation stops working.',
  listGroupInvites:
    'Lists the newest invitation first. The owner and administrators of the group can do this.',
  createGroupInvite:
    'If `email` is sent, the invitation is mailed to that address. Otherwise only this answer shows the code to pass on.',
  withdrawGroupInvite: 'The code of the invitation stops working.',
  listGroupMembers: 'Shows the role of each member.',
  updateGroupMember: 'Only the owner can appoint and dismiss administrators.',
  removeGroupMember: 'The member’s accounts are no longer shared with the group.',
  leaveGroup: 'The caller’s accounts are no longer shared with the group.',
  transferGroupOwner: 'The caller stays in the group as an administrator.',
  listGroupAccounts:
    'Lists all accounts that are shared with the group, including the caller’s own.',
  getGroupSummary:
    'Sums up the accounts that are shared with the group, by currency and converted into the currency of the group.',
  listAccountShares: 'Shows each person’s permission, and the share or group that it comes from.',
  shareAccountToGroup:
    'The caller must own the account and be a member of the group. An account is shared with one group at most, so a new group replaces the previous one. Send `groupId: null` to stop sharing.',
  listAllShares: 'Lists the shares of all users, newest first.',
  shareResource:
    'Shares anybody’s account, budget or file. The share works at once, without being accepted. The caller can share only what they are permitted themselves, and neither the owner nor the receiver may have more permissions than the caller. The owner is notified by mail.',
  listShares: 'Lists the newest share first.',
  listReceivedShares:
    'Lists what others share with the caller, including shares that wait to be accepted, newest first. Shares to the caller’s address are listed once that address is confirmed.',
  createShare:
    'Shares an account, a budget or a file of the caller. The receiver has to accept the share. As long as a budget has a share, private transactions of its owner count in none of its lines, as in a group. If `email` is sent, the share is for the user who has confirmed that address, now or later. The answer is the same whether or not such a user exists.',
  updateShare: 'Changes what the share permits and when it ends. Only the owner can do this.',
  deleteShare: 'The owner and the receiver of the share can do this.',
  acceptShare:
    'The account or budget appears in the caller’s lists once the share is accepted. A file is found by its id, in `GET /share/received`.',
}
