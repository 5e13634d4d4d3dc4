/** What to know of each operation beyond its summary. */
export const MONEY: Record<string, string> = {
  getUserAccounts:
    'Own accounts, and those that others share with the caller; `permission` says what the caller may do with each. There are no pages.',
  createAccount:
    'Only `name`, `type` and `currency` are needed. The opening balance is booked on `openingDate` as a transaction of its own. What one owes is negative.',
  listAccountTypes: 'Each with what it means.',
  getAccountByID:
    '`balance` counts everything that is booked, `clearedBalance` only what the bank has confirmed.',
  updateAccount:
    'Fields that are left out stay as they are, null clears. The currency stays once something is booked.',
  deleteAccount:
    'It can be restored from the trash for 30 days, with everything that is booked on it. To keep its transactions, close it instead.',
  getAccountBalance:
    'What was on the account at the end of the day: booked, cleared and reconciled.',
  getBalanceHistory: 'For charts: one value for each day, week or month of the period.',
  getAccountDetails:
    'The account, one page of its transactions, and the sums of all that match, in one request.',
  getRegister: 'Newest first, each with the balance after it, as on a bank statement.',
  listAccountGroups: 'In their own order.',
  createAccountGroup: 'An account is in one folder at most.',
  updateAccountGroup: 'Changes the fields that are sent.',
  deleteAccountGroup: 'The accounts in it stay.',
  getAccountHistory:
    'An array. If there is more, the `Link` header has the address of the next page.',
  deleteAccountHistory: 'Balances stay as they are.',
  updateAccountHistoryComment: 'An empty comment clears it.',
  getHomePage:
    'Without `currency`, totals are by currency. With it, balances are also converted for display; an account without a rate is listed under `unconverted` and left out of the totals.',
  closeAccount:
    'A closed account takes no more transactions and is left out of the home page. If money is left on it, name the account that takes it over in `transferTo`.',
  listCategories: 'With `view=tree`, each category carries those below it.',
  createCategory: 'Up to five levels. A category below another one is of the same kind.',
  updateCategory: 'Changes the fields that are sent; it moves with all that stands below it.',
  getCategoryUsage: 'To be asked before it is deleted.',
  deleteCategory:
    'Name another category in `reassignTo` to hand over what it has. It can be restored from the trash for 30 days.',
  mergeCategory:
    'Everything of the named category goes to the one in the path, and the named one is gone.',
  createStarterCategories:
    'Categories and subcategories of expenses and income for a kind of household. Names that are there already, at any place, are left as they are and are the parents of what is new below them, so it can be repeated.',
  listCurrencies: 'Every currency of ISO 4217 that has an exact unit, withdrawn ones included.',
  getOwnCurrencies: 'Those that the caller works with, the base currency marked.',
  setOwnCurrencies: 'The list is for choosing from; accounts may have any currency.',
  changeBaseCurrency: 'Nothing is stored in it, so nothing is recomputed.',
  createExchangeRates: 'Up to 500 own ones, all or none.',
  getLatestExchangeRates:
    'The newest rate to the base currency of every currency in use, with its age.',
  convertAmount: 'Uses the rates of the date, or the last ones before it.',
  listExchangeRates:
    'Own ones and those of the system, newest date first, own ones before the others.',
  listExchangeRatesOfPair: 'As they are stored, newest date first, own rates before the others.',
  createExchangeRate:
    '`rate` is what one unit of `from` is worth in `to`. The newest rate up to a day counts; on the same date, an own one comes before that of the system.',
  getExchangeRate: 'An own one, or one of the system.',
  updateExchangeRate: 'Changes what is sent; 403 for one of the system.',
  deleteExchangeRate: '403 for one of the system.',
  listSystemRates: 'Those that everybody sees, newest date first.',
  createSystemRates: 'Up to 500 rates that everybody sees, all or none.',
  refreshSystemRates: 'A task does it; 409 when there is no source.',
  createExpense: 'The same as `POST /transaction` with `kind: expense`.',
  updateExpense: 'Changes the fields that are sent.',
  resolvePayee: 'Tells which payee a new transaction with this text would get.',
  listPayeeAliases: 'What banks write instead of its name.',
  createPayeeAlias: 'What a bank writes instead of its name.',
  deletePayeeAlias: 'Transactions keep their payee.',
  deletePayee:
    'Its transactions go to the one that is named; without that it is deleted only where it has none.',
  mergePayees: 'Their names become aliases.',
  listPayees: 'All, or those that a text is part of, in order of creation.',
  createPayee:
    '`aliases` are what banks write instead of the name. Transactions with such a text in `payeeRaw` get this payee.',
  getPayee: 'With totals and last use.',
  updatePayee: 'Changes the fields that are sent.',
  listTags: 'With their usage, in order of creation.',
  createTag: 'A transaction can have many tags, and they cost no place in the tree of categories.',
  updateTag: 'Changes the fields that are sent.',
  deleteTag: 'It is taken off everything that has it.',
  mergeTag: 'The other one is gone then.',
  adjustBalance:
    'Say what was really there on a day, and the difference is booked as an adjustment. If there is none, nothing is booked.',
  createTransactions:
    'Either all are booked or none; the error names the field of the one at fault. With `dryRun: true` they are only checked.',
  updateTransactions:
    'Names the transactions by `ids` or by `filter`. Either all are changed or none. With `dryRun: true` nothing is.',
  deleteTransactions:
    'Names the transactions by `ids` or by `filter`. Try it with `dryRun: true` first: it says how many it would delete.',
  listDuplicates:
    'A good start after an import. Confirm a pair with `POST /transaction/duplicate/merge`, or dismiss it.',
  mergeDuplicate: 'One gets what it lacks, the other goes to the trash.',
  dismissDuplicate: 'These two are never shown as duplicates again.',
  listTransactionVersions: 'Field by field.',
  listAccountLabels:
    'Categories, tags and payees for the transactions of the account, also of a shared one.',
  listTransactionLinks: 'What it refunds, reimburses or belongs to, and what is left of it.',
  createTransactionLink: 'Links a refund to its purchase, for example. A link changes no balance.',
  deleteTransactionLink: 'From either side.',
  replaceSplits:
    'The amounts of the parts add up to the amount of the transaction exactly. A part with the `id` of an existing one keeps it.',
  updateSplit: 'The sum of all must still be the amount.',
  deleteSplits: 'It then has no category.',
  listTransactions:
    'Filters can be combined, and all of them must match. Pass `nextCursor` of a page as `cursor`, with the same filters, to get the next one.',
  createTransaction:
    '`amount` is positive for an expense and for an income. A split names its parts in `splits`, whose amounts add up to `amount` exactly. If the account has a transaction with the same `externalId`, that one is answered with 200 and nothing is booked.',
  getTransaction:
    'A transfer has one transaction for each account, with `transferId` and `counterAccountId`.',
  updateTransaction:
    'Fields that are left out stay as they are, null clears. Send the `ETag` of your last read as `If-Match`, so that you do not overwrite the change of somebody else.',
  deleteTransaction:
    'It can be restored from the trash for 30 days. One side of a transfer is refused: delete the transfer, at `DELETE /transfer/{id}`.',
  matchTransfer:
    'For an expense and an income that are really one movement, such as after importing both accounts. `POST /transfer/{id}/unmatch` undoes it.',
  unmatchTransfer: 'Into an expense and an income.',
  suggestTransfers: 'Confirm a pair with `POST /transfer/match`, or dismiss it.',
  dismissTransferSuggestion: 'These two are never suggested as one transfer again.',
  listTransfers: 'Those between accounts that the caller sees, newest first.',
  createTransfer:
    'Between currencies, `toAmount` or `rate` says what arrives. A fee is part of `amount`: with 100.00 and a fee of 1.00, 99.00 arrive.',
  getTransfer: 'With both legs.',
  updateTransfer: 'Both sides change together, so that they always fit.',
  deleteTransfer: 'Both legs together.',
  listTrash: '`purgeAt` says when each thing is erased for good.',
  restoreFromTrash:
    'Everything comes back with the same id. If its name is taken by now, change that of the other thing first.',
  eraseFromTrash: 'For good; an account with all that is booked on it.',
  listValuations: 'What accounts off the budget were said to be worth, newest first.',
  createValuation:
    'For an account off the budget whose value changes without a payment, such as a property. The difference to its balance is booked on that day.',
  updateValuation: 'Changes the fields that are sent, and books it anew.',
  deleteValuation: 'Its adjustment goes to the trash.',
}
