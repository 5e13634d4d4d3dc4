/** Descriptions of operations, by `operationId`. */
export const MONEY: Record<string, string> = {
  getUserAccounts:
    'Returns the caller’s own accounts and those shared with them; `permission` says what the caller may do with each. The list is not paged.',
  createAccount:
    'Only `name`, `type` and `currency` are required. The opening balance is booked on `openingDate` as a transaction of its own; money that is owed is negative.',
  listAccountTypes:
    'Each type says whether it is an asset or a liability, and whether it is on the budget by default.',
  getAccountByID:
    '`balance` counts everything that is booked, `clearedBalance` only what the bank has confirmed.',
  updateAccount:
    'Fields that are left out stay as they are; null clears a field. The currency cannot change once the account has transactions.',
  deleteAccount:
    'The account can be restored from the trash for 30 days, with all its transactions. To keep the transactions, close the account instead.',
  getAccountBalance: 'Returns the booked, cleared and reconciled balance at the end of the day.',
  getBalanceHistory: 'Returns one value for each day, week or month of the period, for charts.',
  getCardCycle:
    'Only for accounts of type creditCard and lineOfCredit with a `statementDay`. The cycle that is open today ends with the next statement; all sums count what is booked through today.',
  listCardStatements:
    'Statements are calculated from the transactions, so a late transaction on an old day changes its statement. `current` is the cycle that is open today.',
  getCardStatement:
    'Sums include private transactions of others, as balances do; the list of transactions does not.',
  getAccountDetails:
    'Returns the account, one page of its transactions, and the totals of all transactions that match, in one request.',
  getRegister:
    'Transactions are listed newest first, each with the balance after it, as on a bank statement.',
  listAccountGroups: 'Folders are listed in the order that the user gave them.',
  createAccountGroup: 'An account can be in at most one folder.',
  updateAccountGroup: 'Only the fields that are sent change.',
  deleteAccountGroup: 'The accounts in the folder are kept.',
  getAccountHistory:
    'Returns an array. If there are more records, the `Link` header has the address of the next page.',
  deleteAccountHistory: 'The balances of the account do not change.',
  updateAccountHistoryComment: 'Send an empty comment to delete the existing one.',
  getHomePage:
    'Without `currency`, totals are given by currency. With it, balances are also converted for display; an account without a rate is listed under `unconverted` and left out of the totals.',
  closeAccount:
    'A closed account takes no more transactions and is left out of the home page. If it still has a balance, name the account that takes it over in `transferTo`.',
  listCategories: 'With `view=tree`, each category contains its subcategories.',
  createCategory:
    'Categories can be nested up to five levels. A subcategory has the same kind as its parent.',
  updateCategory:
    'Only the fields that are sent change. A category moves together with all its subcategories.',
  getCategoryUsage: 'Use the counts to see what a deletion would affect.',
  deleteCategory:
    'Name another category in `reassignTo` to take over its transactions, subcategories and payees. The category can be restored from the trash for 30 days.',
  mergeCategory:
    'Everything that uses the category in the body moves to the one in the path, and the category in the body is removed.',
  createStarterCategories:
    'Creates categories and subcategories of expenses and income for a kind of household. Names that already exist, at any level, are left as they are and become the parents of the new subcategories, so the request can be repeated.',
  listCurrencies:
    'Lists every ISO 4217 currency with a defined minor unit, including withdrawn ones.',
  getOwnCurrencies: 'Lists the currencies that the caller works with and marks the base currency.',
  setOwnCurrencies: 'The list only says which currencies to offer; accounts may have any currency.',
  changeBaseCurrency: 'No amounts are stored in the base currency, so nothing is recomputed.',
  createExchangeRates: 'Takes up to 500 own rates. Either all of them are stored or none.',
  getLatestExchangeRates:
    'Returns the newest rate to the base currency, and its age, for every currency in use.',
  convertAmount: 'Uses the rates of the given date, or the last ones before it.',
  listExchangeRates:
    'Lists own rates and those of the system, newest date first; on the same date, own rates come first.',
  listExchangeRatesOfPair:
    'Rates are returned as they are stored, newest date first; on the same date, own rates come first.',
  createExchangeRate:
    '`rate` is the value of one unit of `from` in `to`. The newest rate on or before a day applies; on the same date, an own rate takes precedence over one of the system.',
  getExchangeRate: 'The id can be that of an own rate or of a rate of the system.',
  updateExchangeRate:
    'Only the fields that are sent change. A rate of the system is refused with 403.',
  deleteExchangeRate: 'A rate of the system is refused with 403.',
  listSystemRates: 'Rates of the system are visible to all users and listed newest date first.',
  createSystemRates:
    'Takes up to 500 rates, which are visible to all users. Either all of them are stored or none.',
  refreshSystemRates:
    'The rates are fetched by a background task. If no source is configured, the answer is 409.',
  createExpense: 'Does the same as `POST /transaction` with `kind: expense`.',
  updateExpense: 'Only the fields that are sent change.',
  resolvePayee: 'Returns the payee that a new transaction with this text would get.',
  listPayeeAliases: 'Aliases are the texts that banks write instead of the name of the payee.',
  createPayeeAlias: 'An alias is a text that a bank writes instead of the name of the payee.',
  deletePayeeAlias: 'Transactions that already have the payee keep it.',
  deletePayee:
    'Name another payee in `reassignTo` to take over its transactions. Without it, only a payee without transactions can be deleted.',
  mergePayees: 'The names of the merged payees become aliases of this one.',
  listPayees:
    'Lists payees in order of creation. With `search`, only those whose name or alias contains the text are listed.',
  createPayee:
    '`aliases` are the texts that banks write instead of the name. A transaction with such a text in `payeeRaw` gets this payee.',
  getPayee: 'Includes totals by currency and the date of last use.',
  updatePayee: 'Only the fields that are sent change.',
  listTags:
    'Tags are listed in order of creation, each with the number of transactions that have it.',
  createTag: 'A transaction can have several tags. Tags are independent of categories.',
  updateTag: 'Only the fields that are sent change.',
  deleteTag: 'The tag is removed from everything that has it.',
  mergeTag: 'Everything that has the other tag gets this one, and the other tag is deleted.',
  adjustBalance:
    'Send the actual balance at the end of a day, and the difference is booked as an adjustment. If there is no difference, nothing is booked.',
  createTransactions:
    'Either all transactions are recorded or none; the error names the field of the one that is wrong. With `dryRun: true` they are only checked.',
  updateTransactions:
    'Select the transactions by `ids` or by `filter`. Either all of them are changed or none. With `dryRun: true` nothing is changed.',
  deleteTransactions:
    'Select the transactions by `ids` or by `filter`. Try the request with `dryRun: true` first: the answer says how many it would delete.',
  listDuplicates:
    'Use this after an import. Confirm a pair with `POST /transaction/duplicate/merge`, or dismiss it.',
  mergeDuplicate:
    'The transaction that is kept gets the details that it lacks, and the other one moves to the trash.',
  dismissDuplicate: 'The two transactions are never shown as duplicates again.',
  listTransactionVersions:
    'Each change lists the fields that differ, with their values before and after.',
  listAccountLabels:
    'Lists the categories, tags and payees that can be used for transactions of the account, even if it is only shared with the caller.',
  listTransactionLinks:
    'Shows which transactions this one refunds, reimburses or belongs to, and how much of its amount is left.',
  createTransactionLink:
    'For example, link a refund to its purchase. A link does not change any balance. For `refundOf` and `reimburses`, an income without a category gets that of the expense, or parts in proportion if the expense is split. Send `setCategory: false` to leave the income as it is.',
  deleteTransactionLink: 'The link can be deleted from either of the two transactions.',
  replaceSplits:
    'The amounts of the parts must add up to the amount of the transaction exactly. A part that is sent with the `id` of an existing one keeps that id, and stays a transfer unless `transferAccountId` is null.',
  updateSplit: 'The amounts of all parts must still add up to the amount of the transaction.',
  matchSplit:
    'Use this for a part that the bank of the other account tells as a transaction of its own, for example after importing that account. The transaction becomes the other side of the part, with its status and its `externalId`, and is hidden until `POST /transaction/{id}/split/{lineId}/unmatch`. It must move the opposite amount; between currencies its amount counts.',
  unmatchSplit:
    'The transaction comes back, and the part is what it was before. What was changed since, of the amount, the date or the status, is changed on both.',
  deleteSplits: 'Afterwards the transaction has no category. Refused while a part is a transfer.',
  listTransactions:
    'Filters can be combined, and all of them must match. To get the next page, send `nextCursor` of this page as `cursor`, with the same filters.',
  listTransactionsAsCsv:
    'Takes the filters and the order of `listTransactions`. The table has the columns of a CSV export and names accounts, categories, payees and tags. The `Link` header names the next page.',
  createTransaction:
    '`amount` is positive for expenses and for income. A split transaction has its parts in `splits`, whose amounts must add up to `amount` exactly. A part with `transferAccountId` is a transfer, such as cash back at the till. If the account already has a transaction with the same `externalId`, that one is returned with 200 and nothing is booked.',
  getTransaction:
    'A transfer has one transaction on each account, with `transferId` and `counterAccountId`. A part that is a transfer has one on its other account, with `parentTransactionId` and `splitId`.',
  updateTransaction:
    'Fields that are left out stay as they are; null clears a field. Send the `ETag` of your last read as `If-Match`, so that you do not overwrite somebody else’s change.',
  deleteTransaction:
    'The transaction can be restored from the trash for 30 days. A transaction that is one side of a transfer cannot be deleted alone: use `DELETE /transfer/{id}`. The other side of a part goes with its transaction.',
  matchTransfer:
    'Use this for an expense and an income that are really one transfer, for example after importing both accounts. `POST /transfer/{id}/unmatch` undoes it.',
  unmatchTransfer:
    'The transfer is replaced by an expense and an income. One that was made of a single transaction is replaced by that alone; see `DELETE /transaction/{id}/transfer`.',
  convertToTransfer:
    'Use this for an expense or income that is really a transfer, before the other account has been imported. The transaction keeps what its bank has told, its texts and its files. The transaction on the other account is new and `uncleared`; a later import of that account finds it. Undo it with `DELETE /transaction/{id}/transfer`.',
  revertToSingle:
    'The id is that of the transaction on the account that stays, or of the transaction before it became a transfer. It comes back with its category, and with what was changed of the transfer since. The other side goes, unless its bank has told of it: if it has an `externalId` or is `cleared` or `reconciled`, it becomes a transaction of its own.',
  suggestTransfers:
    'Confirm a pair with `POST /transfer/match`, or dismiss it. With `splitId`, a part of one transaction fits the other: confirm that with `POST /transaction/{id}/split/{lineId}/match`.',
  dismissTransferSuggestion: 'The two transactions are never suggested as a transfer again.',
  listTransfers: 'Lists transfers between accounts that the caller can see, newest first.',
  createTransfer:
    'Between currencies, `toAmount` or `rate` says how much arrives. Fees are part of `amount`: with 100.00 and a fee of 1.00, 99.00 arrive. Send up to ten `fees`, or `fee` for a single one. `categoryId` says what the money is moved for; reports by category count only the fees.',
  getTransfer: 'Includes the transactions on both accounts.',
  updateTransfer:
    'Both sides change together, so that they always match. `fees`, or `fee`, replaces all fees; `categoryId: null` removes the category.',
  deleteTransfer: 'Both sides of the transfer move to the trash together.',
  listTrash: '`purgeAt` says when an item will be erased permanently.',
  restoreFromTrash:
    'The item and everything that belongs to it come back with the same ids. If its name is now in use, rename the other item first.',
  eraseFromTrash: 'The item is erased permanently; an account is erased with all its transactions.',
  listValuations: 'Lists the recorded values of accounts that are off the budget, newest first.',
  createValuation:
    'Use this for an account off the budget whose value changes without a payment, such as a property. The difference to its balance is booked on that day.',
  updateValuation:
    'Only the fields that are sent change. The adjustment is booked again with the new value.',
  deleteValuation: 'The adjustment of the valuation moves to the trash.',
  listReconciliations:
    'Lists the reconciliations of own accounts and of accounts that others share with you.',
  startReconciliation:
    'Compares an account with a statement of its bank. No transaction changes until the reconciliation is finished. An account has one open reconciliation at a time.',
  getReconciliation:
    'All sums are computed at each read. `drift` names reconciled transactions that were changed, moved or deleted since.',
  updateReconciliation:
    'Ticks and unticks transactions, and changes the day and the closing balance of the statement. `tick`, `untick` and `tickWhere` can be combined; transactions in `untick` are not ticked afterwards.',
  abandonReconciliation:
    'No transaction changes. A reconciliation that was finished and undone is kept as `undone`; any other is deleted.',
  listReconciliationRows:
    'Lists ticked transactions and those that can be ticked: transactions of the account that are neither void nor reconciled, dated on or before the statement, or up to `later` days after it.',
  finishReconciliation:
    'All ticked transactions become reconciled. The difference must be zero, or `adjust` books it on the last day of the statement: as an adjustment, or with `categoryId` as an expense or income. A balance assertion states the reconciled balance at the end of the statement.',
  undoReconciliation:
    'Each transaction gets its earlier status back, unless it was changed since; `kept` lists transactions that stay as they are. An adjustment that nobody has changed moves to the trash. Only the last finished reconciliation of an account can be undone.',
  suggestForReconciliation:
    'Suggests corrections that would make the difference zero. It compares amounts with transactions, with imports, and with earlier reconciliations. Nothing is suggested if the sum contains private transactions that you cannot see.',
  listBalanceAssertions:
    'Lists the assertions of own accounts and of accounts that others share with you. `ok=false` finds those that do not hold.',
  createBalanceAssertion:
    'States the balance of an account at the start or the end of a day. An assertion never refuses a booking. Lists, the account and a nightly check in the log show assertions that do not hold. If the same assertion exists already, the answer is 200 with the existing one.',
  getBalanceAssertion: 'The assertion is compared with the current bookings.',
  deleteBalanceAssertion: 'No booking changes.',
  checkBalanceAssertions:
    'For each account, the answer names the last assertion that holds, the first one that does not, and the transactions between them that were created or changed since the latter was stored.',
  listPeriodLocks: 'Lists the locks of own accounts and of accounts that others share with you.',
  createPeriodLock:
    'Nothing that moves money can be booked, changed or deleted in a locked period. Descriptions, notes, tags, files and the statuses `uncleared`, `cleared` and `reconciled` can still change. The lock has a seal over all lines of the period, which shows later changes.',
  getPeriodLock:
    'With `verify=true`, the lines of the period are compared with the seal. `broken` names the accounts that differ, and the users who changed something on them by force.',
  deletePeriodLock:
    'A hard lock can be ended only by the owner, in a session that began within the last 15 minutes.',
}
