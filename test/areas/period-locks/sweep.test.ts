import { expect, it } from 'vitest'
import { again } from '../../support/again.ts'
import { rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { inOrder, operations } from '../../support/operations.ts'
import { type Sample, samplesOf, sendSample } from '../../support/samples.ts'
import type { TestUser } from '../../support/world.ts'
import { linesOf, tryWays } from './ways.fixtures.ts'

// Every operation that writes is sent where all days are locked: it is refused, or it is named here and leaves the lines as
// they are.

/** Operations that move money, of which the sample is refused. */
const REFUSED = [
  'adjustBalance',
  'closeAccount',
  'createAccount',
  'createExpense',
  'createTransaction',
  'convertToTransfer',
  'createTransactions',
  'createTransfer',
  'createValuation',
  'deleteExpense',
  'deleteSplits',
  'deleteTransaction',
  'deleteTransactions',
  'finishReconciliation',
  'deleteTransfer',
  'deleteValuation',
  'matchSplit',
  'matchTransfer',
  'mergeDuplicate',
  'postOccurrences',
  'replaceSplits',
  'restoreFromTrash',
  'revertToSingle',
  'unmatchSplit',
  'unmatchTransfer',
  'updateAccount',
  'updateTransaction',
  'updateTransfer',
  'updateValuation',
]

/** Operations that give lines another category, or none: no sum of a kind changes. */
const LABELS = new Set(['deleteCategory', 'mergeCategory'])

/** Operations whose sample succeeds, and leaves all lines as they are. Adding one is a decision: it stands here. */
const FREE = `
  acceptGroupInvite acceptShare addGroupMember checkBalanceAssertions createBalanceAssertion deleteBalanceAssertion
  applyBudgetTemplate assignMoney beginTotp cancelJob
  cancelQueueTask changeBaseCurrency changeEmail changePassword checkIntegrity closeBudgetPeriod confirmTotp
  copyBudget createAccessToken createAccountGroup createAttachment createBackup createBudget
  createBudgetLine createBudgetTemplate createCategory createDownloadLink createBackupUpload createExchangeRate
  createExchangeRates createExport createGroup createGroupInvite createIdentityProvider createInviteCode
  createInviteCodes createPayee createPayeeAlias createRecurring createRole createRule createSavedView createShare createStarterCategories
  createStorageClass createSystemRates createTag createTransactionLink createUser declineGroupInvite
  deleteAccessToken deleteAccount deleteAccountGroup deleteAccountHistory deleteAnyGroup deleteAttachment
  deleteAvatar deleteBackup deleteBackupUpload deleteBudget deleteBudgetLine deleteBudgetTemplate deleteCategory
  deleteExchangeRate deleteExport deleteExportSchedule deleteGroup deleteIdentityProvider deleteLineTarget deleteOwnUser
  deletePayee deletePayeeAlias deletePeriodLock deleteRecurring deleteRole deleteRule deleteSavedView deleteShare deleteStorageClass deleteSystemRate
  deleteTag deleteTransactionLink deleteUser disableTotp dismissDuplicate dismissRecurring dismissTransferSuggestion
  emptyTrash endSession eraseFromTrash exportAuditLog forgotPassword holdMoney leaveGroup linkAttachment
  linkIdentity listAllQueueTasks login loginMfa logout logoutAll mergeCategory mergePayees mergeTag
  moveMoney parseSearch previewBudgetPeriods previewSchedule purgeDeleted purgeQueueTasks recalculateBalances refreshSystemRates
  refreshToken register removeAnyGroupMember removeGroupMember renewRecoveryCodes reopenAccount
  reopenBudgetPeriod reorderAccounts reorderBudgetLines reorderCategories reorderRules resendConfirmation resetPassword
  resetUserMfa resetUserPassword restoreAttachment restoreBackup restoreOwnUser restoreUser retryQueueTask
  revokeAnyInviteCode revokeInviteCode revokeUserSessions runRules setAllocation setAllocations setAvatar
  setExportSchedule setGroupStorageClass setLineTarget setOwnCurrencies setUserRoles shareAccountToGroup shareBudgetToGroup
  shareResource snoozeLineTarget testIdentityProvider transferGroupOwner undoMovement undoWipe
  unlinkAttachment unlinkIdentity unshareAccountFromGroup unshareBudgetFromGroup unshareResource
  updateAccessToken updateAccountGroup updateAccountHistoryComment updateAnyGroup updateAttachment
  updateBudget updateBudgetLine updateBudgetPeriod updateBudgetTemplate updateCategory updateExchangeRate
  updateExpense updateOccurrence updateRecurring updateGroup updateGroupMember updateIdentityProvider updateInviteCode updatePayee updateRule updateSavedView
  updatePreferences updateProfile updateRole updateSettings updateShare updateSplit updateStorageClass
  updateTag updateTransactions updateUser validateInviteCode verifyBackup verifyEmail wipeData
  detectImportFile createImport deleteImport putBackupUploadPart replaceImportFile setImportMapping cancelImport commitImport revertImport
  updateImportRow updateImportRows createImportProfile updateImportProfile deleteImportProfile
  setAccountAlert updateNotification readNotifications createWebhook updateWebhook deleteWebhook testWebhook retryDelivery undoChange
  withdrawGroupInvite startReconciliation updateReconciliation abandonReconciliation undoReconciliation
`
  .trim()
  .split(/\s+/)

const lockAll = (me: TestUser, kind: 'soft' | 'hard') =>
  rows(
    `INSERT INTO period_locks (id, owner_id, through, kind, reason, created_by, balances, created_at, updated_at)
      VALUES (?1, ?2, '2200-12-31', ?3, 'All', ?2, '[]', 0, 0)`,
    someId('plk'),
    me.id,
    kind,
  )

/** The samples, of which no operation has taken anything yet. */
const newSamples = again(samplesOf)

const isWrite = ({ method }: { method: string }) => method !== 'get'

const codeOf = async (response: Response): Promise<string> => {
  const body = new TextDecoder().decode(await response.arrayBuffer())
  return response.ok ? 'succeeds' : (JSON.parse(body) as { code: string }).code
}

/** Sends each sample that writes, and gives what it answered and whether protected lines changed. */
async function answersTo(
  kind: 'soft' | 'hard',
  sampleOf: (sample: Sample, operationId: string) => Sample = (sample) => sample,
): Promise<Map<string, string>> {
  const { me, samples } = await newSamples()
  await lockAll(me, kind)
  const answers = new Map<string, string>()
  let before = await linesOf(me)
  for (const operation of inOrder(samples).filter(isWrite)) {
    const { operationId } = operation
    const sample = samples[operationId] ?? {}
    const answer = await codeOf(await sendSample(me, operation, sampleOf(sample, operationId)))
    const after = await linesOf(me)
    const isSame = JSON.stringify(before) === JSON.stringify(after)
    answers.set(
      operationId,
      isSame || LABELS.has(operationId) ? answer : `${answer} and moves money`,
    )
    before = after
  }
  return answers
}

const isVisited = (id: string) => operations.some(({ operationId }) => operationId === id)

/** It needs a provider that answers. */
const UNSENT = 'exchangeProviderCode'

it('every operation that writes is named once', () => {
  const named = [...REFUSED, ...FREE, 'createPeriodLock', UNSENT].filter(isVisited)
  const written = operations.filter(isWrite).map(({ operationId }) => operationId)
  expect(named.toSorted()).toEqual(written.toSorted())
})

it('every operation that writes is refused on a locked day, or named', async () => {
  const answers = await answersTo('hard')
  const expected = [
    ...REFUSED.map((id) => [id, 'locks.periodLocked']),
    ...FREE.map((id) => [id, 'succeeds']),
    ['createPeriodLock', 'locks.alreadyLocked'],
  ].filter(([id = '']) => isVisited(id))
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
  const unsent = operations.filter((one) => isWrite(one) && !answers.has(one.operationId))
  const expectedUnsent = [UNSENT].filter(isVisited)
  expect(unsent.map(({ operationId }) => operationId)).toEqual(expectedUnsent)
})

/** The same sample with force, in its body or in its query. */
function forced(sample: Sample, operationId: string): Sample {
  const isInQuery = sample.json === undefined || operationId.startsWith('unmatch')
  return isInQuery
    ? { ...sample, query: `${sample.query ?? ''}${sample.query ? '&' : '?'}force=true` }
    : { ...sample, json: { ...sample.json, force: true } }
}

it('every operation that a lock refuses takes force', async () => {
  const answers = await answersTo('soft', (sample, operationId) =>
    REFUSED.includes(operationId) ? forced(sample, operationId) : sample,
  )
  for (const id of REFUSED.filter(isVisited)) {
    expect(answers.get(id), id).toBe('succeeds and moves money')
  }
})

// Under a soft lock, in soft-ways.long.test.ts.
tryWays('hard')
