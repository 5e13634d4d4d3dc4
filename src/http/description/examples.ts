import { exampleId } from '../../domain/example-ids.ts'
import { transactionIdFrom } from '../../domain/ids.ts'

// A test sends all of these to the demo data. They are apart from the routes, so that no release carries them.

const PASSWORD = 'correct horse battery staple'
const MONEY = { accountId: exampleId('acc'), date: '2026-11-20', amount: '12.30' }
const RATE = { from: 'EUR', to: 'USD', date: '2026-11-20', rate: '1.0842' }
const TRANSACTION = {
  kind: 'expense',
  ...MONEY,
  description: 'Groceries',
  categoryId: exampleId('cat'),
}
const SPLITS = [
  { amount: '20.00', categoryId: exampleId('cat') },
  { amount: '12.60', categoryId: exampleId('cat', 2), note: 'The cheese' },
  { amount: '10.00', transferAccountId: exampleId('acc', 3), note: 'Cash from the till' },
]
const PROVIDER = {
  name: 'Example Ltd.',
  domain: 'example.org',
  issuer: 'https://login.example.org',
  clientId: 'coffer',
  clientSecret: 'a secret of the provider',
  enabled: false,
}

/** Parameters in the path, where the example of their kind is in another state than the operation is for. */
export const PATH_EXAMPLES: Record<string, Record<string, string>> = {
  reopenAccount: { id: exampleId('acc', 5) },
  getCardCycle: { id: exampleId('acc', 6) },
  listCardStatements: { id: exampleId('acc', 6) },
  getCardStatement: { id: exampleId('acc', 6) },
  convertToTransfer: { id: exampleId('txn', 2) },
  revertToSingle: { id: `${transactionIdFrom(exampleId('trf'))}-1` },
  restoreFromTrash: { kind: 'transaction', id: exampleId('txn', 4) },
  restoreAttachment: { id: exampleId('att', 2) },
  leaveGroup: { id: exampleId('grp', 2) },
  updateShare: { id: exampleId('shr', 2) },
  closeBudgetPeriod: { period: '2025-01-01' },
  reopenBudgetPeriod: { id: exampleId('bud', 2), period: '2025-01-01' },
  unshareBudgetFromGroup: { id: exampleId('bud', 2) },
}

/**
 * Operations whose path names what the demo data cannot have: a secret, a visit of an identity provider, or what comes and
 * goes in the background. They have no example in the path, so that nobody is sent after it.
 */
export const NOTHING_TO_NAME = [
  ...['authorizeWithProvider', 'returnFromProvider', 'followDownloadLink'],
  ...['getJob', 'cancelJob', 'getQueueTask', 'cancelQueueTask', 'retryQueueTask'],
  ...['getBackup', 'downloadBackup', 'deleteBackup', 'putBackupUploadPart', 'deleteBackupUpload'],
  'getRestore',
  ...['getExport', 'downloadExport', 'deleteExport'],
  ...['getAuditLogExport', 'downloadAuditLogExport'],
  ...['getImport', 'deleteImport', 'replaceImportFile', 'downloadImportFile', 'previewImport'],
  'getImportReport',
  ...['setImportMapping', 'cancelImport', 'commitImport', 'revertImport', 'listImportRows'],
  ...['updateImportRow', 'updateImportRows'],
  ...['getImportProfile', 'updateImportProfile', 'deleteImportProfile'],
  ...['undoMovement', 'updateBudgetTemplate', 'deleteBudgetTemplate', 'applyBudgetTemplate'],
]

const IDENTITY = {
  register: { email: 'ada@example.com', password: 'long enough to be only mine', name: 'Ada' },
  login: { email: 'one@coffer.example', password: PASSWORD },
  refreshToken: { refreshToken: 'rft_…' },
  loginMfa: { mfaToken: 'mft_…', code: '492039' },
  forgotPassword: { email: 'one@coffer.example' },
  resetPassword: { token: 'pwr_…', password: 'long enough to be only mine' },
  changePassword: { currentPassword: PASSWORD, newPassword: 'another one that is long enough' },
  changeEmail: { email: 'ada@example.org', password: PASSWORD },
  verifyEmail: { token: 'emv_…' },
  beginTotp: { password: PASSWORD },
  confirmTotp: { code: '492039' },
  renewRecoveryCodes: { password: PASSWORD },
  disableTotp: { password: PASSWORD },
  linkIdentity: { code: 'sic_…' },
  exchangeProviderCode: { code: 'sic_…' },
  createAccessToken: { name: 'Spreadsheet at home', scopes: ['read'], password: PASSWORD },
  updateAccessToken: { name: 'Spreadsheet at work' },
  createInviteCode: { maxUses: 1, note: 'For Grace' },
  createInviteCodes: { quantity: 10, maxUses: 1, note: 'For the club' },
  updateInviteCode: { note: 'For Grace and Alan' },
  validateInviteCode: { code: 'inc_…' },
  updateProfile: { name: 'Robin', timeZone: 'Europe/Dublin' },
  updatePreferences: { weekStart: 'monday', defaultAccountId: exampleId('acc') },
  wipeData: { kinds: ['exchangeRates'], password: PASSWORD },
  deleteOwnUser: { password: PASSWORD },
}

const MONEY_AREAS = {
  createAccount: { name: 'Holidays', type: 'savings', currency: 'EUR', openingBalance: '250.00' },
  updateAccount: { name: 'Everyday account', note: 'Joint account' },
  reorderAccounts: { ids: [exampleId('acc', 2), exampleId('acc')] },
  closeAccount: { transferTo: exampleId('acc', 2) },
  adjustBalance: { balance: '61.20', date: '2026-11-20', description: 'Counted the cash' },
  createAccountGroup: { name: 'Savings', accountIds: [exampleId('acc', 2)] },
  updateAccountGroup: { name: 'Every day' },
  updateAccountHistoryComment: { comment: 'Opened at the counter' },
  createTransaction: TRANSACTION,
  createTransactions: { transactions: [TRANSACTION, { ...TRANSACTION, amount: '4.50' }] },
  updateTransaction: { description: 'Garden centre, for the balcony', reviewed: true },
  updateTransactions: {
    ids: [exampleId('txn', 2), exampleId('txn', 3)],
    changes: { reviewed: true },
  },
  deleteTransactions: { ids: [exampleId('txn', 3)], dryRun: true },
  mergeDuplicate: { keepId: exampleId('txn', 2), dropId: exampleId('txn', 3) },
  dismissDuplicate: { transactionIds: [exampleId('txn', 2), exampleId('txn', 3)] },
  replaceSplits: { splits: SPLITS },
  updateSplit: { note: 'The cheese' },
  matchSplit: { transactionId: exampleId('txn', 5) },
  createTransactionLink: {
    kind: 'custom',
    transactionId: exampleId('txn', 2),
    note: 'The same visit',
  },
  createExpense: { ...MONEY, description: 'Groceries', categoryId: exampleId('cat') },
  updateExpense: { note: 'For the balcony' },
  createTransfer: {
    fromAccountId: exampleId('acc'),
    toAccountId: exampleId('acc', 2),
    date: '2026-11-20',
    amount: '100.00',
    categoryId: exampleId('cat', 3),
    fees: [{ amount: '1.50', categoryId: exampleId('cat', 4) }],
    description: 'Savings',
  },
  updateTransfer: { amount: '60.00', categoryId: exampleId('cat', 3) },
  matchTransfer: {
    fromTransactionId: exampleId('txn', 2),
    toTransactionId: exampleId('txn', 5),
  },
  convertToTransfer: { accountId: exampleId('acc', 3) },
  dismissTransferSuggestion: { transactionIds: [exampleId('txn', 2), exampleId('txn', 5)] },
  createCategory: { name: 'Gifts', kind: 'expense' },
  createStarterCategories: { locale: 'de-AT', household: 'family' },
  updateCategory: { color: '#2e7d32', note: 'Food, not restaurants' },
  mergeCategory: { categoryId: exampleId('cat', 2) },
  reorderCategories: { categories: [{ id: exampleId('cat', 2) }, { id: exampleId('cat') }] },
  createPayee: { name: 'Tesco', aliases: ['TESCO STORES 4711'] },
  updatePayee: { defaultCategoryId: exampleId('cat') },
  createPayeeAlias: { raw: 'MARKET HALL DUBLIN' },
  mergePayees: { payeeIds: [exampleId('pay', 2)] },
  createTag: { name: 'Ireland 2026' },
  updateTag: { color: '#2e7d32' },
  mergeTag: { tagId: exampleId('tag', 2) },
  startReconciliation: {
    accountId: exampleId('acc'),
    statementDate: '2026-10-31',
    closingBalance: '1250.00',
    prefill: 'cleared',
    note: 'Statement 10 of 2026',
  },
  updateReconciliation: { closingBalance: '1247.00', note: 'Corrected by the bank' },
  finishReconciliation: { adjust: true, description: 'Rounding of the bank' },
  createBalanceAssertion: {
    accountId: exampleId('acc'),
    date: '2026-10-31',
    amount: '1250.00',
    tolerance: '0.50',
    note: 'Statement of October',
  },
  checkBalanceAssertions: { accountId: exampleId('acc') },
  createPeriodLock: {
    through: '2025-12-31',
    kind: 'soft',
    reason: 'Tax return sent',
    require: ['noPending'],
  },
  createValuation: { accountId: exampleId('acc', 4), date: '2026-11-20', value: '245000.00' },
  updateValuation: { value: '242000.00', note: 'Appraised by the bank' },
  setOwnCurrencies: { currencies: ['EUR', 'JPY', 'BHD', 'USD'] },
  changeBaseCurrency: { currency: 'USD' },
  createExchangeRate: RATE,
  createExchangeRates: { rates: [RATE] },
  updateExchangeRate: { rate: '1.0850' },
}

const BUDGETS = {
  createBudget: {
    name: 'Holidays',
    mode: 'limit',
    period: { unit: 'month', count: 1, anchor: '2026-01-01' },
    startsOn: '2026-01-01',
  },
  updateBudget: { note: 'Looked at every Sunday', policy: 'surplus' },
  previewBudgetPeriods: {
    period: { unit: 'month', count: 1, anchor: '2026-10-31', weekend: 'before' },
    count: 6,
  },
  createBudgetLine: { name: 'Presents', scope: { kind: 'category', ids: [exampleId('cat', 5)] } },
  updateBudgetLine: { note: 'Without restaurants', policy: 'both' },
  reorderBudgetLines: { lineIds: [exampleId('bln', 2), exampleId('bln')] },
  updateBudgetPeriod: { note: 'Holidays' },
  setAllocations: { items: [{ lineId: exampleId('bln'), assigned: '400.00' }] },
  setAllocation: { assigned: '400.00' },
  setLineTarget: {
    ...{ type: 'byDate', amount: '310.00', date: '2027-12-31', priority: 2 },
    every: { count: 1, unit: 'year' },
  },
  snoozeLineTarget: { period: 'current' },
  assignMoney: { method: 'averageSpent', periods: 3, dryRun: true },
  createBudgetTemplate: {
    name: 'A usual month',
    items: [{ lineId: exampleId('bln'), amount: '400.00' }],
  },
  updateBudgetTemplate: { name: 'December' },
  applyBudgetTemplate: { period: 'current', mode: 'add', dryRun: true },
  copyBudget: { name: 'Next year', amountsOf: 'current' },
  moveMoney: {
    from: exampleId('bln'),
    to: exampleId('bln', 2),
    amount: '1.00',
    allowNegative: true,
  },
  holdMoney: { amount: '50.00', allowNegative: true },
  reopenBudgetPeriod: { reason: 'A receipt turned up' },
  shareBudgetToGroup: { groupId: exampleId('grp') },
}

const IMPORTS = {
  setImportMapping: { dateOrder: 'DMY', accountId: exampleId('acc') },
  commitImport: {},
  revertImport: { dryRun: true },
  updateImportRow: { decision: 'book', description: 'Lunch' },
  updateImportRows: { filter: { verdict: 'matched' }, decision: 'book' },
  createImportProfile: {
    ...{ name: 'My bank', accountId: exampleId('acc'), format: 'csv' },
    mapping: { dateOrder: 'DMY', decimal: ',' },
    shape: ['date', 'payee', 'amount'],
  },
  updateImportProfile: { name: 'Our bank' },
}

const SHARED_AREAS = {
  shareAccountToGroup: { groupId: exampleId('grp'), permission: 'view' },
  createShare: { resourceId: exampleId('acc'), email: 'grace@example.com', permission: 'view' },
  updateShare: { permission: 'annotate' },
  acceptShare: { includeInTotals: true },
  createGroup: { name: 'Summer house', kind: 'project' },
  updateGroup: { name: 'Our home' },
  createGroupInvite: { role: 'member' },
  acceptGroupInvite: { code: 'gic_…' },
  declineGroupInvite: { code: 'gic_…' },
  updateGroupMember: { role: 'admin' },
  transferGroupOwner: { userId: exampleId('usr') },
  updateAttachment: { title: 'Electricity, October' },
  createDownloadLink: { minutes: 15 },
  linkAttachment: { kind: 'account', id: exampleId('acc') },
}

const OF_ADMINISTRATORS = {
  updateSettings: { registration: 'invite' },
  createUser: { email: 'grace@example.com', name: 'Grace' },
  updateUser: { name: 'Sasha' },
  resetUserPassword: { delivery: 'mail' },
  setUserRoles: { roleIds: [exampleId('rol')] },
  createRole: { name: 'Auditor', permissions: ['accounts.read', 'transactions.read'] },
  updateRole: { description: 'Enters receipts and checks them' },
  createIdentityProvider: PROVIDER,
  updateIdentityProvider: PROVIDER,
  createStorageClass: {
    name: 'Receipts',
    prefix: 'receipts/',
    maxObjectBytes: 26_214_400,
    allowedTypes: ['application/pdf', 'image/jpeg'],
  },
  updateStorageClass: { retentionDays: 3650 },
  setGroupStorageClass: { storageClassId: exampleId('stc') },
  createSystemRates: { rates: [RATE] },
  shareResource: {
    resourceType: 'account',
    resourceId: exampleId('acc'),
    userId: exampleId('usr'),
    permission: 'view',
  },
  unshareResource: {
    resourceType: 'account',
    resourceId: exampleId('acc', 3),
    userId: exampleId('usr'),
  },
  updateAnyGroup: { name: 'Our household' },
  addGroupMember: { userId: exampleId('usr', 3), role: 'viewer' },
  listAllQueueTasks: { states: ['failed', 'dead'], limit: 50 },
  purgeQueueTasks: { olderThanDays: 30 },
  createBackupUpload: { size: 73_400_320, sha256: '9f86d081'.repeat(8) },
  createExport: {
    format: 'hledger',
    scope: { from: '2026-01-01', to: '2026-12-31', what: ['transactions', 'exchangeRates'] },
  },
  setExportSchedule: { every: 'month', day: 1, keep: 3, scope: { what: ['transactions'] } },
  exportAuditLog: { format: 'csv', action: 'account.updated' },
}

/** Bodies that work with the demo data, by operation. */
export const BODY_EXAMPLES: Record<string, object> = {
  ...IDENTITY,
  ...MONEY_AREAS,
  ...BUDGETS,
  ...IMPORTS,
  ...SHARED_AREAS,
  ...OF_ADMINISTRATORS,
}
