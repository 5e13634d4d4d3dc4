import type { OwnedData } from '../platform/owned-data/owned-data.ts'
import { accessTokenData } from './identity/access-tokens/access-tokens.data.ts'
import { accountData } from './money/accounts/accounts.data.ts'
import { archiveData } from './data-rights/backups/backups.data.ts'
import { attachmentData } from './files/attachments/attachments.data.ts'
import { auditLogData } from './insight/audit-log/audit-log.data.ts'
import { authData } from './identity/auth/auth.data.ts'
import { budgetData } from './planning/budgets/budgets.data.ts'
import { categoryData } from './money/categories/categories.data.ts'
import { currencyData } from './money/currencies/currencies.data.ts'
import { exchangeRateData } from './money/exchange-rates/exchange-rates.data.ts'
import { exportData } from './data-rights/exports/exports.data.ts'
import { groupData } from './sharing/groups/groups.data.ts'
import { identityProviderData } from './identity/identity-providers/identity-providers.data.ts'
import { importData } from './intake/imports/imports.data.ts'
import { inviteData } from './identity/invites/invites.data.ts'
import { ledgerData } from '../ledger/ledger.data.ts'
import { metricData } from './operations/metrics/metrics.data.ts'
import { notificationData } from './identity/notifications/notifications.data.ts'
import { balanceAssertionData } from './money/balance-assertions/balance-assertions.data.ts'
import { payeeData } from './money/payees/payees.data.ts'
import { periodLockData } from './money/period-locks/period-locks.data.ts'
import { reconciliationData } from './money/reconciliations/reconciliations.data.ts'
import { recurringData } from './planning/recurring/recurring.data.ts'
import { roleData } from './identity/roles/roles.data.ts'
import { savedViewData } from './insight/saved-views/saved-views.data.ts'
import { ruleData } from './money/rules/rules.data.ts'
import { settingData } from './identity/settings/settings.data.ts'
import { sharingData } from './sharing/sharing/sharing.data.ts'
import { storageClassData } from './files/storage-classes/storage-classes.data.ts'
import { tagData } from './money/tags/tags.data.ts'
import { transactionData } from './money/transactions/transactions.data.ts'
import { transferData } from './money/transfers/transfers.data.ts'
import { trashData } from './money/trash/trash.data.ts'
import { userData } from './data-rights/own-user/own-user.data.ts'
import { webhookData } from './events/webhooks/webhooks.data.ts'
import { valuationData } from './money/valuations/valuations.data.ts'

/**
 * The declarations of all areas in the order of erasure: an area stands before those that its rows refer to, because
 * a foreign key keeps the referenced row. The log is last, because each step of the others adds to it. The users are
 * before it, because rows that are addressed to a user are found by the user's row. A backup has the areas the other
 * way round.
 */
export const ownedByAreas: OwnedData[] = [
  // Schedules first, so that none has an archive made that nobody would erase.
  exportData,
  sharingData,
  // These areas have objects in the bucket.
  archiveData,
  attachmentData,
  importData,
  userData,
  budgetData,
  recurringData,
  notificationData,
  webhookData,
  savedViewData,
  inviteData,
  groupData,
  transactionData,
  transferData,
  valuationData,
  balanceAssertionData,
  periodLockData,
  reconciliationData,
  ledgerData,
  trashData,
  accountData,
  // Behind the accounts, each of which follows every change of a rule.
  ruleData,
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
]
