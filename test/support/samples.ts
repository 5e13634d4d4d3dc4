import { rows } from './api.ts'
import { someId } from './of-file.ts'
import {
  exportOf,
  samplesOfFiles,
  samplesOfMatching,
  type Sample,
  send,
  tasksOf,
} from './sample-parts.ts'
import { samplesOfBudgets } from './samples-of-budgets.ts'
import { samplesOfExports } from './samples-of-exports.ts'
import { samplesOfGroups } from './samples-of-groups.ts'
import { samplesOfIdentity } from './samples-of-identity.ts'
import { samplesOfImports } from './samples-of-imports.ts'
import { samplesOfLocks } from './samples-of-locks.ts'
import { samplesOfNotifications } from './samples-of-notifications.ts'
import { samplesOfSearch } from './samples-of-search.ts'
import { samplesOfPlanned } from './samples-of-planned.ts'
import { samplesOfRecurring } from './samples-of-recurring.ts'
import { samplesOfRules } from './samples-of-rules.ts'
import { samplesOfWebhooks } from './samples-of-webhooks.ts'
import { newAdmin, newUser, type TestUser } from './world.ts'

export { costOf, type Sample, sendSample } from './sample-parts.ts'
/** A request that succeeds, for every operation by its id. */
export type Samples = Record<string, Sample>

/**
 * A user with one of everything, and for each operation a request of it that succeeds. Adding an
 * operation without adding its sample here fails the sweeps by name.
 */
export async function samplesOf(): Promise<{ me: TestUser; samples: Samples }> {
  const me = await newAdmin()
  const make = async (path: string, json: object) => {
    const response = await send(me, 'POST', path, json)
    if (response.status >= 300) {
      const refusal = await response.text()
      throw new Error(`Correct this request in test/support/samples.ts: POST ${path}: ${refusal}`)
    }
    return (await response.json()) as { id: string; code: string; to: { accountId: string } }
  }
  const account = await make('/account', { name: 'One', type: 'checking', currency: 'EUR' })
  const second = await make('/account', { name: 'Two', type: 'savings', currency: 'EUR' })
  const card = await make('/account', {
    ...{ name: 'Card', type: 'creditCard', currency: 'EUR' },
    ...{ openingDate: '2020-01-01', statementDay: 18 },
  })
  const doomed = await make('/account', { name: 'Three', type: 'cash', currency: 'EUR' })
  const emptied = await make('/account', {
    name: 'Emptied',
    type: 'cash',
    currency: 'EUR',
    openingBalance: '9',
  })
  const flat = await make('/account', { name: 'Flat', type: 'property', currency: 'EUR' })
  const worth = (date: string) =>
    make('/valuation', { accountId: flat.id, date, value: `20${date.slice(5, 7)}00`, note: 'x' })
  const [valuation, recalled] = [await worth('2026-01-31'), await worth('2026-02-28')]
  const folder = await make('/account-group', { name: 'One', accountIds: [account.id] })
  const folded = await make('/account-group', { name: 'Two' })
  const shut = await make('/account', { name: 'Shut', type: 'cash', currency: 'EUR' })
  await make(`/account/${shut.id}/close`, {})
  const category = await make('/category', { name: 'Food', kind: 'expense' })
  const car = await make('/category', { name: 'Car', kind: 'expense' })
  const fuel = await make('/category', { name: 'Fuel', kind: 'expense' })
  const tag = await make('/tag', { name: 'One' })
  const otherTag = await make('/tag', { name: 'Two' })
  const payee = await make('/payee', { name: 'Shop', aliases: ['SHOP 1'] })
  const otherPayee = await make('/payee', { name: 'Other shop' })
  const aliasList = await send(me, 'GET', `/payee/${payee.id}/alias`)
  const { aliases } = (await aliasList.json()) as { aliases: { id: string }[] }
  const named = await make('/category', { name: 'Named', kind: 'expense' })
  await make('/payee', { name: 'Named' })
  const byNames = (externalId: string) => ({
    ...{ kind: 'expense', accountName: 'One', date: '2026-01-31', amount: '10', externalId },
    ...{ categoryName: 'Named', payeeName: 'Named' },
    payeeRaw: 'SHOP 1',
  })
  const expense = {
    kind: 'expense',
    accountId: account.id,
    date: '2026-01-05',
    amount: '10',
    categoryId: category.id,
  }
  const splits = [
    { amount: '4', categoryId: category.id },
    { amount: '6', categoryId: category.id },
  ]
  const transaction = await make('/transaction', expense)
  const split = await make('/transaction', { ...expense, categoryId: undefined, splits })
  const unsplit = await make('/transaction', { ...expense, categoryId: undefined, splits })
  const gone = await make('/transaction', expense)
  const cancelled = await make('/transaction', expense)
  const discarded = await make('/transaction', expense)
  const move = {
    fromAccountId: account.id,
    toAccountId: second.id,
    date: '2026-01-06',
    amount: '5',
  }
  const refund = await make('/transaction', { ...expense, kind: 'income', categoryId: undefined })
  const refundOf = { kind: 'refundOf', transactionId: transaction.id, amount: '1' }
  const link = await make(`/transaction/${refund.id}/link`, {
    ...refundOf,
    transactionId: split.id,
  })
  const transfer = await make('/transfer', move)
  const undone = await make('/transfer', move)
  const parted = await make('/transfer', move)
  const doubled = await make('/transaction', expense)
  const double = await make('/transaction', expense)
  const left = await make('/transaction', expense)
  const whole = await make('/transaction', expense)
  const single = await make('/transaction', expense)
  await make(`/transaction/${single.id}/transfer`, { accountId: second.id })
  const arrived = await make('/transaction', {
    kind: 'income',
    accountId: second.id,
    date: '2026-01-05',
    amount: '10',
  })
  await make('/transaction', expense)
  const changes = await send(me, 'GET', '/change?limit=1')
  const [recorded] = ((await changes.json()) as { changes: { id: string }[] }).changes
  const [trashed, trashedToo] = [await make('/transaction', expense), await make('/transfer', move)]
  await send(me, 'DELETE', `/transaction/${trashed.id}`)
  await send(me, 'DELETE', `/transfer/${trashedToo.id}`)
  const storageClass = (name: string) => ({
    ...{ name: `${name} ${me.id}`, prefix: 'sample/', maxObjectBytes: 1024 },
    allowedTypes: ['text/plain'],
  })
  const shelf = await make('/admin/storage-classes', storageClass('one'))
  const emptyShelf = await make('/admin/storage-classes', storageClass('two'))
  const { id: household } = await make('/group', { name: 'Household' })
  const files = await samplesOfFiles(me, account.id, [transaction.id, transfer.id])
  const ownRate = (to: string) =>
    make('/exchange-rate', { from: 'XAD', to, date: '1999-01-04', rate: '2' })
  const [rate, spareRate] = [await ownRate('ZWG'), await ownRate('YER')]
  // Of everybody, so of a pair and a day that no other test asks about.
  const systemRate = someId('rate')
  await rows(
    `INSERT INTO system_exchange_rates (id, from_currency, to_currency, date, rate, created_at, updated_at)
      VALUES (?1, ?1, 'ZWG', '1900-01-01', '1', 0, 0)`,
    systemRate,
  )
  const history = await send(me, 'GET', `/account-history?accountId=${account.id}`)
  const [record] = (await history.json()) as { id: string }[]
  const lines = await send(me, 'GET', `/transaction/${split.id}/split`)
  const [line] = ((await lines.json()) as { splits: { id: string }[] }).splits
  const [waiting, running, dead] = await tasksOf(me)
  const logExport = await exportOf(me)
  const friend = await newUser()
  const { id: home } = await make('/group', { name: 'Home' })
  const theirs = await send(friend, 'POST', '/account', {
    name: 'Theirs',
    type: 'cash',
    currency: 'EUR',
  })
  const { id: theirId } = (await theirs.json()) as { id: string }
  const offered = await send(friend, 'POST', '/share', { resourceId: theirId, userId: me.id })
  const { id: offeredId } = (await offered.json()) as { id: string }
  const [given, revoked] = [
    await make('/share', { resourceId: second.id, userId: friend.id }),
    await make('/share', { resourceId: flat.id, userId: friend.id }),
  ]
  const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })

  const ofRules = await samplesOfRules(make)
  const ofRecurring = await samplesOfRecurring(make, account.id)
  // After all others, as a code of an authenticator lives for half a minute.
  const ofIdentity = await samplesOfIdentity(me, make, account.id)

  return {
    me,
    samples: {
      ...ofIdentity.first,
      listOwnStorageClasses: {},
      listStorageClasses: {},
      createStorageClass: { json: storageClass('three') },
      getStorageClass: of(shelf.id),
      updateStorageClass: of(shelf.id, { json: { retentionDays: 30 } }),
      deleteStorageClass: of(emptyShelf.id),
      getStorageClassUsage: of(shelf.id),
      setGroupStorageClass: of(household, { json: { storageClassId: null } }),
      listCategories: {},
      createCategory: { json: { name: 'Fruit', kind: 'expense', parentId: category.id } },
      getCategory: of(category.id),
      updateCategory: of(category.id, { json: { kind: 'expense', parentId: null } }),
      getCategoryUsage: of(category.id),
      reorderCategories: { json: { categories: [{ id: fuel.id, parentId: car.id }] } },
      listTags: {},
      createTag: { json: { name: 'Third' } },
      getTag: of(tag.id),
      updateTag: of(tag.id, { json: { color: '#112233' } }),
      mergeTag: of(tag.id, { json: { tagId: otherTag.id } }),
      deleteTag: of(tag.id),
      ...ofRules,
      ...ofRecurring,
      ...samplesOfPlanned(account.id),
      resolvePayee: { query: '?raw=shop' },
      listPayeeAliases: of(payee.id),
      createPayeeAlias: of(payee.id, { json: { raw: 'SHOP 3' } }),
      deletePayeeAlias: { path: { id: payee.id, aliasId: aliases[0]?.id ?? '' } },
      listPayees: { query: '?search=sho' },
      createPayee: { json: { name: 'Third', aliases: ['THIRD'] } },
      getPayee: of(payee.id),
      updatePayee: of(payee.id, { json: { defaultCategoryId: category.id } }),
      mergePayees: of(payee.id, { json: { payeeIds: [otherPayee.id] } }),
      deletePayee: of(payee.id),
      mergeCategory: of(car.id, { json: { categoryId: fuel.id } }),
      deleteCategory: of(car.id, { query: `?reassignTo=${category.id}` }),
      listCurrencies: { query: '?active=true' },
      getOwnCurrencies: {},
      setOwnCurrencies: { json: { currencies: ['JPY', 'EUR'] } },
      changeBaseCurrency: { json: { currency: 'EUR' } },
      getCurrency: { path: { code: 'EUR' } },
      getLatestExchangeRates: {},
      getRateCoverage: {},
      convertAmount: { query: '?amount=1&from=EUR&to=EUR' },
      listExchangeRates: {},
      listExchangeRatesOfPair: { path: { from: 'EUR', to: 'USD' } },
      getExchangeRate: of(rate.id),
      updateExchangeRate: of(rate.id, { json: { rate: '3' } }),
      deleteExchangeRate: of(spareRate.id),
      createExchangeRates: {
        json: { rates: [{ from: 'EUR', to: 'CHF', date: '2026-01-01', rate: '0.93' }] },
      },
      listSystemRates: {},
      createSystemRates: {
        json: { rates: [{ from: 'XAD', to: 'YER', date: '1900-01-01', rate: '1' }], replace: true },
      },
      refreshSystemRates: {},
      deleteSystemRate: of(systemRate),
      createExchangeRate: { json: { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' } },
      getHomePage: { query: '?currency=USD' },
      getUserAccounts: {},
      createAccount: { json: { name: 'Four', type: 'cash', currency: 'JPY', openingBalance: '5' } },
      getAccountByID: of(account.id),
      updateAccount: of(account.id, { json: { openingBalance: '3' } }),
      deleteAccount: of(doomed.id),
      getAccountDetails: of(account.id, { query: '?convert=USD' }),
      getCardCycle: of(card.id),
      listCardStatements: of(card.id),
      getCardStatement: { path: { id: card.id, date: '2020-01-18' } },
      getRegister: of(account.id, { query: '?convert=base' }),
      listAccountTypes: {},
      reorderAccounts: { json: { ids: [second.id, account.id] } },
      getAccountBalance: of(account.id, { query: '?date=2026-01-31' }),
      getBalanceHistory: of(account.id, { query: '?from=2026-01-01&to=2026-03-31&currency=USD' }),
      listAccountGroups: {},
      createAccountGroup: { json: { name: 'Three', accountIds: [second.id] } },
      updateAccountGroup: of(folder.id, { json: { accountIds: [account.id, second.id] } }),
      deleteAccountGroup: of(folded.id),
      listShares: {},
      listReceivedShares: {},
      createShare: { json: { resourceId: account.id, email: `friend-${friend.email}` } },
      updateShare: of(given.id, { json: { permission: 'write' } }),
      acceptShare: of(offeredId, { json: { includeInTotals: true } }),
      deleteShare: of(revoked.id),
      listSharedAccounts: {},
      listAccountShares: of(second.id),
      shareAccountToGroup: of(account.id, { json: { groupId: home } }),
      unshareAccountFromGroup: of(account.id, { after: 'shareAccountToGroup' }),
      listAllShares: { query: `?accountId=${second.id}` },
      shareResource: {
        json: {
          resourceType: 'account',
          resourceId: account.id,
          userId: friend.id,
          permission: 'view',
        },
      },
      unshareResource: {
        json: { resourceType: 'account', resourceId: account.id, userId: friend.id },
        after: 'shareResource',
      },
      ...(await samplesOfGroups(make)),
      ...(await samplesOfImports(me, account.id)),
      ...(await samplesOfBudgets(make, account.id, [car.id, fuel.id, named.id], home)),
      listValuations: { query: `?accountId=${flat.id}&from=2026-01-01&to=2026-03-31` },
      createValuation: { json: { accountId: flat.id, date: '2026-03-31', value: '210000' } },
      getValuation: of(valuation.id),
      updateValuation: of(valuation.id, { json: { value: '205000' } }),
      deleteValuation: of(recalled.id),
      ...(await samplesOfLocks(make)),
      ...(await samplesOfSearch(make, category.id)),
      ...(await samplesOfWebhooks(make)),
      ...(await samplesOfNotifications(me, account.id)),
      getNetWorth: { query: '?date=2026-01-31&currency=USD' },
      getNetWorthHistory: { query: '?from=2026-01-01&to=2026-03-31' },
      getIncomeStatement: { query: '?from=2026-01-01&to=2026-03-31&interval=month' },
      getIncomeStatementCsv: { query: '?from=2026-01-01&to=2026-03-31&interval=month' },
      getSpending: { query: '?from=2026-01-01&to=2026-03-31&by=payee' },
      getSpendingCsv: { query: '?from=2026-01-01&to=2026-03-31&by=tag' },
      getCashFlow: { query: '?from=2026-01-01&to=2026-03-31&interval=month' },
      getCashFlowCsv: { query: '?from=2026-01-01&to=2026-03-31&interval=month' },
      getNetWorthChart: { query: '?from=2026-01-01&to=2026-03-31&theme=dark' },
      getIncomeStatementChart: { query: '?from=2026-01-01&to=2026-03-31' },
      getSpendingChart: { query: '?from=2026-01-01&to=2026-03-31&by=category' },
      adjustBalance: of(account.id, { json: { balance: '77', date: '2026-01-31' } }),
      closeAccount: of(emptied.id, { json: { transferTo: account.id } }),
      reopenAccount: of(shut.id),
      getAccountHistory: {},
      getAccountHistoryRecord: of(record?.id ?? ''),
      updateAccountHistoryComment: of(record?.id ?? '', { json: { comment: 'x' } }),
      deleteAccountHistory: of(record?.id ?? ''),
      listTransactions: {
        query: `?categoryId=${category.id}&text=one+two&amountFrom=1&sort=-amount&totals=true&convert=USD`,
      },
      listTransactionsAsCsv: { query: `?categoryId=${category.id}&sort=-amount` },
      createStarterCategories: { json: { locale: 'de', household: 'family' } },
      createTransactions: {
        json: { transactions: [expense, { ...expense, externalId: 'bulk-1' }, byNames('bulk-2')] },
      },
      updateTransactions: {
        json: { ids: [transaction.id], changes: { note: 'Many', status: 'cleared' } },
      },
      deleteTransactions: { json: { ids: [discarded.id] } },
      listDuplicates: { query: `?accountId=${account.id}&from=2026-01-01&to=2026-01-31` },
      dismissDuplicate: { json: { transactionIds: [transaction.id, split.id] } },
      mergeDuplicate: { json: { keepId: doubled.id, dropId: double.id } },
      createTransaction: { json: { ...expense, externalId: 'bank-1' } },
      getTransaction: of(transaction.id, { query: '?convert=USD' }),
      updateTransaction: of(transaction.id, { json: { amount: '11' } }),
      deleteTransaction: of(gone.id),
      listExpenses: { query: `?payeeId=${payee.id}&metadataKey=trip&sort=createdAt` },
      createExpense: { json: { accountId: account.id, date: '2026-01-05', amount: '10' } },
      getExpense: of(transaction.id),
      updateExpense: of(transaction.id, { json: { note: 'x' } }),
      deleteExpense: of(cancelled.id),
      listAccountLabels: { ...of(account.id), query: '?kind=tag' },
      listTransactionLinks: of(split.id),
      createTransactionLink: of(refund.id, { json: refundOf }),
      deleteTransactionLink: { path: { id: refund.id, linkId: link.id } },
      listTransactionVersions: of(transaction.id),
      listSplits: of(split.id),
      updateSplit: { path: { id: split.id, lineId: line?.id ?? '' }, json: { note: 'x' } },
      // After the change of one part, as it makes all parts anew.
      replaceSplits: of(split.id, { json: { splits } }),
      deleteSplits: of(unsplit.id),
      ...(await samplesOfMatching(make, account.id, second.id)),
      matchTransfer: { json: { fromTransactionId: left.id, toTransactionId: arrived.id } },
      unmatchTransfer: of(parted.id),
      convertToTransfer: of(whole.id, { json: { accountId: second.id } }),
      revertToSingle: of(`${single.id}-1`),
      suggestTransfers: { query: '?from=2026-01-01&to=2026-01-31&days=1' },
      dismissTransferSuggestion: {
        json: { transactionIds: [transaction.id, unsplit.id] },
      },
      listTransfers: {},
      createTransfer: { json: move },
      getTransfer: of(transfer.id),
      updateTransfer: of(transfer.id, { json: { amount: '6' } }),
      deleteTransfer: of(undone.id),
      ...files,
      listTrash: { query: '?kind=transaction' },
      restoreFromTrash: { path: { kind: 'transaction', id: trashed.id } },
      eraseFromTrash: { path: { kind: 'transfer', id: trashedToo.id } },
      emptyTrash: {},
      listAllQueueTasks: { json: {} },
      getQueueTaskStatistics: {},
      purgeQueueTasks: { json: { olderThanDays: 3650, kinds: ['test.sample'] } },
      getQueueTask: of(dead),
      retryQueueTask: of(dead),
      cancelQueueTask: of(running),
      checkIntegrity: {},
      recalculateBalances: {},
      purgeDeleted: {},
      getMetrics: {},
      getStorageMetrics: {},
      getActiveUsers: {},
      getDownloadMetrics: { query: '?limit=10' },
      getGrowthTrends: { query: '?days=30' },
      getSystemHealth: {},
      listJobs: { query: '?state=queued' },
      getJob: of(waiting),
      cancelJob: of(waiting),
      verifyAuditLog: {},
      listOwnAuditLog: { query: '?resourceType=account' },
      listAuditLogs: { query: '?action=account.created' },
      getAuditLog: of(record?.id ?? ''),
      listChanges: {},
      undoChange: of(recorded?.id ?? '', { json: {} }),
      exportAuditLog: { json: { format: 'csv', ownerId: me.id } },
      getAuditLogExport: of(logExport),
      downloadAuditLogExport: of(logExport),
      getProfile: {},
      setAvatar: { bytes: 'RIFF____WEBPVP8 ' },
      getAvatar: { after: 'setAvatar' },
      deleteAvatar: { after: 'setAvatar' },
      updateProfile: { json: { name: 'Countess' } },
      ...ofIdentity.deletion,
      getPreferences: {},
      updatePreferences: { json: { weekStart: 'sunday', defaultAccountId: account.id } },
      getStatistics: {},
      wipeData: { json: { kinds: ['exchangeRates'], password: me.password } },
      getWipe: { after: 'wipeData' },
      undoWipe: { after: 'wipeData' },
      ...(await samplesOfExports(me, account.id)),
      // Last, as it ends the session.
      ...ofIdentity.last,
    },
  }
}
