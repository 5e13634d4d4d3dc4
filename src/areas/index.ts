import { mailJob } from '../platform/mail.ts'
import { resealJob } from '../platform/reseal.ts'
import { registerOwnedData } from '../platform/owned-data.ts'
import type { Work } from '../platform/tasks.ts'
import { registerHooks } from '../ledger/ledger.public.ts'
import { accessTokenData } from './access-tokens/access-tokens.data.ts'
import { accessTokenRoutes } from './access-tokens/access-tokens.routes.ts'
import { accountData } from './accounts/accounts.data.ts'
import { bookableAccounts } from './accounts/accounts.hooks.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { balanceRoutes } from './accounts/balances/balances.routes.ts'
import { detailsRoutes } from './accounts/details/details.routes.ts'
import { accountGroupRoutes } from './accounts/groups/groups.routes.ts'
import { accountHistoryRoutes } from './accounts/history/history.routes.ts'
import { homePageRoutes } from './accounts/home-page/home-page.routes.ts'
import { lifecycleRoutes } from './accounts/lifecycle/lifecycle.routes.ts'
import { auditLogData } from './audit-log/audit-log.data.ts'
import { auditLogRoutes } from './audit-log/audit-log.routes.ts'
import { sealLogSweep } from './audit-log/chain/chain.jobs.ts'
import { auditChainRoutes } from './audit-log/chain/chain.routes.ts'
import { attachmentData } from './attachments/attachments.data.ts'
import { attachmentRoutes } from './attachments/attachments.routes.ts'
import { downloadRoutes } from './attachments/downloads/downloads.routes.ts'
import { attachedFiles } from './attachments/links/links.hooks.ts'
import { attachmentLinkRoutes } from './attachments/links/links.routes.ts'
import { purgeFilesJob, sweepFilesJob } from './attachments/sweeping/sweeping.jobs.ts'
import { uploadRoutes } from './attachments/upload/upload.routes.ts'
import { makeLogExportJob } from './audit-log/exports/exports.jobs.ts'
import { auditExportRoutes } from './audit-log/exports/exports.routes.ts'
import { authData } from './auth/auth.data.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { emailRoutes } from './auth/email/email.routes.ts'
import { keyRoutes } from './auth/keys/keys.routes.ts'
import { mfaLoginRoutes } from './auth/mfa-login/mfa-login.routes.ts'
import { mfaRoutes } from './auth/mfa/mfa.routes.ts'
import { mailToNobodyJob } from './auth/password/password.jobs.ts'
import { passwordRoutes } from './auth/password/password.routes.ts'
import { policyRoutes } from './auth/policy/policy.routes.ts'
import { sessionRoutes } from './auth/sessions/sessions.routes.ts'
import { archiveData } from './backups/backups.data.ts'
import { expireArchivesJob, makeBackupJob } from './backups/backups.jobs.ts'
import { backupRoutes } from './backups/backups.routes.ts'
import { categoryData } from './categories/categories.data.ts'
import { categoryRoutes } from './categories/categories.routes.ts'
import { categoryOrderRoutes } from './categories/order/order.routes.ts'
import { categoryRemovalRoutes } from './categories/removal/removal.routes.ts'
import { currencyData } from './currencies/currencies.data.ts'
import { currencyRoutes } from './currencies/currencies.routes.ts'
import { exchangeRateData } from './exchange-rates/exchange-rates.data.ts'
import { bulkRateRoutes } from './exchange-rates/bulk/bulk.routes.ts'
import { conversionRoutes } from './exchange-rates/conversion/conversion.routes.ts'
import { exchangeRateRoutes } from './exchange-rates/exchange-rates.routes.ts'
import { fetchRatesJob } from './exchange-rates/system/system.jobs.ts'
import { systemRateRoutes } from './exchange-rates/system/system.routes.ts'
import { expenseRoutes } from './expenses/expenses.routes.ts'
import { groupData } from './groups/groups.data.ts'
import { groupRoutes } from './groups/groups.routes.ts'
import { groupActivityRoutes } from './groups/activity/activity.routes.ts'
import { groupAdministrationRoutes } from './groups/administration/administration.routes.ts'
import { groupInviteRoutes } from './groups/invites/invites.routes.ts'
import { groupMemberRoutes } from './groups/members/members.routes.ts'
import { groupSummaryRoutes } from './groups/summary/summary.routes.ts'
import { identityProviderData } from './identity-providers/identity-providers.data.ts'
import { providerCheckRoutes } from './identity-providers/checks/checks.routes.ts'
import { identityRoutes } from './identity-providers/identities/identities.routes.ts'
import { identityProviderRoutes } from './identity-providers/identity-providers.routes.ts'
import { signInRoutes } from './identity-providers/sign-in/sign-in.routes.ts'
import { inviteData } from './invites/invites.data.ts'
import { inviteRoutes } from './invites/invites.routes.ts'
import { jobRoutes } from './jobs/jobs.routes.ts'
import { ledgerData } from '../ledger/ledger.data.ts'
import { checkLedger } from '../ledger/integrity/checks.jobs.ts'
import { recalculateJob } from '../ledger/integrity/recalculation.jobs.ts'
import { maintenanceRoutes } from './maintenance/maintenance.routes.ts'
import { downloadsReader } from './metrics/downloads/downloads.readers.ts'
import { downloadMetricRoutes } from './metrics/downloads/downloads.routes.ts'
import { growthRoutes } from './metrics/growth/growth.routes.ts'
import { healthRoutes } from './metrics/health/health.routes.ts'
import { metricData } from './metrics/metrics.data.ts'
import { metricRoutes } from './metrics/metrics.routes.ts'
import { payeeData } from './payees/payees.data.ts'
import { meantPayees } from './payees/aliases/aliases.hooks.ts'
import { payeeAliasRoutes } from './payees/aliases/aliases.routes.ts'
import { payeeMergingRoutes } from './payees/merging/merging.routes.ts'
import { payeeRoutes } from './payees/payees.routes.ts'
import { queueTaskRoutes } from './queue-tasks/queue-tasks.routes.ts'
import { referenceRoutes } from './reference/reference.routes.ts'
export { unseenIn } from './replays/replays.public.ts'
import { reportRoutes } from './reports/reports.routes.ts'
import { roleData } from './roles/roles.data.ts'
import { roleRoutes } from './roles/roles.routes.ts'
import { purgePlatform } from './service/service.jobs.ts'
import { serviceInfoRoutes } from './service-info/service-info.routes.ts'
import { serviceRoutes } from './service/service.routes.ts'
import { settingData } from './settings/settings.data.ts'
import { settingRoutes } from './settings/settings.routes.ts'
import { storageClassData } from './storage-classes/storage-classes.data.ts'
import { storageAssignmentRoutes } from './storage-classes/assignment/assignment.routes.ts'
import { storageClassRoutes } from './storage-classes/storage-classes.routes.ts'
import { storageClassUsageRoutes } from './storage-classes/usage/usage.routes.ts'
import { sharingData } from './sharing/sharing.data.ts'
import { accountSharingRoutes } from './sharing/accounts/accounts.routes.ts'
import { adminSharingRoutes } from './sharing/admin/admin.routes.ts'
import { sharingRoutes } from './sharing/sharing.routes.ts'
import { shareNoticesReader } from './sharing/notices/notices.readers.ts'
import { tagData } from './tags/tags.data.ts'
import { tagRoutes } from './tags/tags.routes.ts'
import { transactionData } from './transactions/transactions.data.ts'
import { adjustmentRoutes } from './transactions/adjustments/adjustments.routes.ts'
import { bulkTransactionRoutes } from './transactions/bulk/bulk.routes.ts'
import { duplicateRoutes } from './transactions/duplicates/duplicates.routes.ts'
import { transactionHistoryRoutes } from './transactions/history/history.routes.ts'
import { labelRoutes } from './transactions/labels/labels.routes.ts'
import { linkedTransactions } from './transactions/links/links.hooks.ts'
import { transactionLinkRoutes } from './transactions/links/links.routes.ts'
import { splitRoutes } from './transactions/splits/splits.routes.ts'
import { transactionRoutes } from './transactions/transactions.routes.ts'
import { transferData } from './transfers/transfers.data.ts'
import { matchingRoutes } from './transfers/matching/matching.routes.ts'
import { suggestionRoutes } from './transfers/suggestions/suggestions.routes.ts'
import { transferRoutes } from './transfers/transfers.routes.ts'
import { trashData } from './trash/trash.data.ts'
import { eraseTrashJob, purgeTrashJob } from './trash/erasing/erasing.jobs.ts'
import { trashRoutes } from './trash/trash.routes.ts'
import { userData } from './user/user.data.ts'
import { avatarRoutes } from './user/avatar/avatar.routes.ts'
import { deletionRoutes } from './user/deletion/deletion.routes.ts'
import { eraseUserJob, scheduleErasuresJob } from './user/erasure/erasure.jobs.ts'
import { preferenceRoutes } from './user/preferences/preferences.routes.ts'
import { statisticRoutes } from './user/statistics/statistics.routes.ts'
import { userRoutes } from './user/user.routes.ts'
import { wipeDataJob } from './user/wipe/wipe.jobs.ts'
import { wipeRoutes } from './user/wipe/wipe.routes.ts'
import { userCreationRoutes } from './users/creation/creation.routes.ts'
import { userCredentialRoutes } from './users/credentials/credentials.routes.ts'
import { userDeletionRoutes } from './users/deletion/deletion.routes.ts'
import { userGrantRoutes } from './users/grants/grants.routes.ts'
import { adminUserRoutes } from './users/users.routes.ts'
import { valuationData } from './valuations/valuations.data.ts'
import { valuationRoutes } from './valuations/valuations.routes.ts'

/** What areas add to every change of transactions, in the order in which their statements stand in a batch. */
export const ledgerHooks = [meantPayees, bookableAccounts, attachedFiles, linkedTransactions]

registerHooks(ledgerHooks)

/**
 * The areas, ranked: an area may import the public face of those above it only. Also the order in which
 * their routes are matched and described.
 */
export const areas = [
  serviceRoutes,
  settingRoutes,
  // addresses stands here: it has no routes of its own.
  // access stands here: it has no routes of its own.
  // memberships stands here: it has no routes of its own.
  authRoutes,
  sessionRoutes,
  policyRoutes,
  passwordRoutes,
  emailRoutes,
  mfaRoutes,
  mfaLoginRoutes,
  keyRoutes,
  roleRoutes,
  adminUserRoutes,
  userCreationRoutes,
  userDeletionRoutes,
  userCredentialRoutes,
  userGrantRoutes,
  inviteRoutes,
  identityProviderRoutes,
  providerCheckRoutes,
  signInRoutes,
  identityRoutes,
  accessTokenRoutes,
  storageClassRoutes,
  storageClassUsageRoutes,
  storageAssignmentRoutes,
  currencyRoutes,
  conversionRoutes,
  exchangeRateRoutes,
  bulkRateRoutes,
  systemRateRoutes,
  // transaction-views stands here: it has no routes of its own.
  categoryRoutes,
  categoryOrderRoutes,
  categoryRemovalRoutes,
  tagRoutes,
  // Before the payees themselves: its path `resolve` is no id.
  payeeAliasRoutes,
  payeeRoutes,
  payeeMergingRoutes,
  homePageRoutes,
  accountRoutes,
  detailsRoutes,
  lifecycleRoutes,
  balanceRoutes,
  accountGroupRoutes,
  accountHistoryRoutes,
  sharingRoutes,
  accountSharingRoutes,
  adminSharingRoutes,
  // Before the groups themselves: its path `invite` is no id.
  groupInviteRoutes,
  groupRoutes,
  groupMemberRoutes,
  groupSummaryRoutes,
  groupActivityRoutes,
  groupAdministrationRoutes,
  // Before the transactions themselves: its path `bulk` is no id.
  bulkTransactionRoutes,
  // Before the transactions themselves: its path `duplicate` is no id.
  duplicateRoutes,
  transactionRoutes,
  splitRoutes,
  transactionHistoryRoutes,
  labelRoutes,
  transactionLinkRoutes,
  adjustmentRoutes,
  expenseRoutes,
  matchingRoutes,
  // Before the transfers themselves: its path `suggestion` is no id.
  suggestionRoutes,
  transferRoutes,
  valuationRoutes,
  attachmentRoutes,
  uploadRoutes,
  attachmentLinkRoutes,
  downloadRoutes,
  reportRoutes,
  trashRoutes,
  queueTaskRoutes,
  jobRoutes,
  // Before the entries themselves: their paths `verify` and `export` are no ids.
  auditChainRoutes,
  auditExportRoutes,
  auditLogRoutes,
  metricRoutes,
  downloadMetricRoutes,
  growthRoutes,
  healthRoutes,
  userRoutes,
  avatarRoutes,
  deletionRoutes,
  preferenceRoutes,
  statisticRoutes,
  wipeRoutes,
  backupRoutes,
  maintenanceRoutes,
  serviceInfoRoutes,
  // Written out, so that the bundler drops the area from a release.
  ...(__DEV_BUILD__ ? [referenceRoutes] : []),
  // replays stands here: it has no routes of its own.
]

/**
 * Whose tables are whose, in the order of erasure: an area stands before those that its rows refer to, as a foreign key
 * keeps what is referred to. The log is last, as each step of the others adds to it, and before it the users, as what is
 * addressed to one is found by the row of the user. A backup has the areas the other way round.
 */
export const ownedData = registerOwnedData([
  // What has objects in the bucket first.
  archiveData,
  attachmentData,
  userData,
  sharingData,
  inviteData,
  groupData,
  transactionData,
  transferData,
  valuationData,
  ledgerData,
  trashData,
  accountData,
  payeeData,
  tagData,
  categoryData,
  exchangeRateData,
  currencyData,
  accessTokenData,
  identityProviderData,
  storageClassData,
  authData,
  roleData,
  settingData,
  metricData,
  auditLogData,
])

export const work: Work = {
  jobs: [
    checkLedger,
    eraseTrashJob,
    eraseUserJob,
    expireArchivesJob,
    fetchRatesJob,
    mailJob,
    mailToNobodyJob,
    makeBackupJob,
    makeLogExportJob,
    purgeFilesJob,
    purgePlatform,
    purgeTrashJob,
    recalculateJob,
    resealJob,
    scheduleErasuresJob,
    sweepFilesJob,
    wipeDataJob,
  ],
  schedule: {
    // Starts nothing of its own: it sweeps up what is due.
    '*/5 * * * *': [],
    '17 3 * * *': [
      checkLedger.kind,
      expireArchivesJob.kind,
      fetchRatesJob.kind,
      purgeFilesJob.kind,
      purgePlatform.kind,
      purgeTrashJob.kind,
      resealJob.kind,
      scheduleErasuresJob.kind,
      sweepFilesJob.kind,
    ],
  },
  sweeps: [sealLogSweep],
  readers: [downloadsReader, shareNoticesReader],
}
