// What somebody needs to know before they use an operation, beyond its summary. They are apart from the routes, so that no
// release carries them.

const SIGN_IN = {
  register:
    'Answers the same tokens as a sign-in. Whether an invite code is needed, and what a password must be like, is at `GET /auth/registration-policy`.',
  getRegistrationPolicy: 'Ask this before showing a form to register. It needs no token.',
  login:
    'Send `accessToken` as `Authorization: Bearer …` from then on. It works for `expiresIn` seconds; then `POST /auth/refresh-token` gives a new one. A user with a second factor gets `mfaRequired: true` and an `mfaToken` instead, for `POST /auth/v2/login/mfa`.',
  loginMfa:
    'Takes the `mfaToken` of `POST /auth/v2/login` with a code of the authenticator app, or a recovery code.',
  refreshToken:
    'A refresh token works once: store the new one before you use it. If a used one comes again, somebody has copied it, and the session ends.',
  logout: 'Needs no body. Other sessions of the user go on.',
  getMe:
    'Shows who the token belongs to. Ask it after signing in, to know which operations are permitted.',
  listSessions: 'Each sign-in is a session. `DELETE /auth/session/{id}` ends one.',
  forgotPassword:
    'The mail brings a code for `POST /auth/password/reset`. Nobody can tell from the answer whether the address is registered.',
  resetPassword:
    'The code is the one from the mail of `POST /auth/password/forgot`, and works once.',
  verifyEmail:
    'The code is the one from the mail. It needs no token, as the mail may be read on another device.',
  beginTotp:
    'Show the secret to the user as a QR code, and send the first code of their app to `POST /auth/mfa/totp/confirm`.',
  confirmTotp:
    'The answer shows the recovery codes, this once. From then on a sign-in asks for a code.',
  updateProfile: 'Fields that are left out stay as they are.',
}

const ACCOUNTS = {
  getUserAccounts:
    'Own accounts, and those that others share with the caller; `permission` says what the caller may do with each. There are no pages.',
  createAccount:
    'Only `name`, `type` and `currency` are needed. The opening balance is booked on `openingDate` as a transaction of its own. What one owes is negative.',
  getAccountByID:
    '`balance` counts everything that is booked, `clearedBalance` only what the bank has confirmed.',
  updateAccount:
    'Fields that are left out stay as they are, null clears. The currency stays once something is booked.',
  deleteAccount:
    'It can be restored from the trash for 30 days, with everything that is booked on it. To keep its transactions, close it instead.',
  getAccountDetails:
    'The account, one page of its transactions, and the sums of all that match, in one request.',
  getRegister: 'Newest first, each with the balance after it, as on a bank statement.',
  getHomePage:
    'Without `currency`, totals are by currency. With it, balances are also converted for display; an account without a rate is listed under `unconverted` and left out of the totals.',
  getBalanceHistory: 'For charts: one value for each day, week or month of the period.',
  adjustBalance:
    'Say what was really there on a day, and the difference is booked as an adjustment. If there is none, nothing is booked.',
  closeAccount:
    'A closed account takes no more transactions and is left out of the home page. If money is left on it, name the account that takes it over in `transferTo`.',
  getAccountHistory:
    'An array. If there is more, the `Link` header has the address of the next page.',
  createValuation:
    'For an account off the budget whose value changes without a payment, such as a property. The difference to its balance is booked on that day.',
}

const TRANSACTIONS = {
  listTransactions:
    'Filters can be combined, and all of them must match. Pass `nextCursor` of a page as `cursor`, with the same filters, to get the next one.',
  createTransaction:
    '`amount` is positive for an expense and for an income. A split names its parts in `splits`, whose amounts add up to `amount` exactly. If the account has a transaction with the same `externalId`, that one is answered with 200 and nothing is booked.',
  createTransactions:
    'Either all are booked or none; the error names the field of the one at fault. With `dryRun: true` they are only checked.',
  getTransaction:
    'A transfer has one transaction for each account, with `transferId` and `counterAccountId`.',
  updateTransaction:
    'Fields that are left out stay as they are, null clears. Send the `ETag` of your last read as `If-Match`, so that you do not overwrite the change of somebody else.',
  deleteTransaction:
    'It can be restored from the trash for 30 days. One side of a transfer is refused: delete the transfer, at `DELETE /transfer/{id}`.',
  updateTransactions:
    'Names the transactions by `ids` or by `filter`. Either all are changed or none. With `dryRun: true` nothing is.',
  deleteTransactions:
    'Names the transactions by `ids` or by `filter`. Try it with `dryRun: true` first: it says how many it would delete.',
  replaceSplits:
    'The amounts of the parts add up to the amount of the transaction exactly. A part with the `id` of an existing one keeps it.',
  listDuplicates:
    'A good start after an import. Confirm a pair with `POST /transaction/duplicate/merge`, or dismiss it.',
  createTransactionLink: 'Links a refund to its purchase, for example. A link changes no balance.',
  createExpense: 'The same as `POST /transaction` with `kind: expense`.',
  createTransfer:
    'Between currencies, `toAmount` or `rate` says what arrives. A fee is part of `amount`: with 100.00 and a fee of 1.00, 99.00 arrive.',
  updateTransfer: 'Both sides change together, so that they always fit.',
  matchTransfer:
    'For an expense and an income that are really one movement, such as after importing both accounts. `POST /transfer/{id}/unmatch` undoes it.',
  suggestTransfers: 'Confirm a pair with `POST /transfer/match`, or dismiss it.',
}

const NAMES = {
  listCategories: 'With `view=tree`, each category carries those below it.',
  createCategory: 'Up to five levels. A category below another one is of the same kind.',
  mergeCategory:
    'Everything of the named category goes to the one in the path, and the named one is gone.',
  deleteCategory:
    'Name another category in `reassignTo` to hand over what it has. It can be restored from the trash for 30 days.',
  createPayee:
    '`aliases` are what banks write instead of the name. Transactions with such a text in `payeeRaw` get this payee.',
  resolvePayee: 'Tells which payee a new transaction with this text would get.',
  createTag: 'A transaction can have many tags, and they cost no place in the tree of categories.',
  createExchangeRate:
    '`rate` is what one unit of `from` is worth in `to`. The newest rate up to a day counts; on the same date, an own one comes before that of the system.',
  convertAmount: 'Uses the rates of the date, or the last ones before it.',
  setOwnCurrencies: 'The list is for choosing from; accounts may have any currency.',
}

const OTHERS = {
  createAttachment:
    'The body is the file itself, without a form around it. Its type is found by its content. `linkKind` and `linkId` attach it at once.',
  downloadAttachment: 'Answers the bytes. `Range` asks for a part of them.',
  createDownloadLink:
    'For a viewer or another program that cannot send a token. Whoever has the link can open the file while it works.',
  getNetWorth:
    'Accounts without a rate for `currency` are listed, and left out of the converted sums.',
  createGroup:
    'Then invite members with `POST /group/{id}/invite`, and share accounts with `PUT /account/{id}/share-group`.',
  createGroupInvite:
    'With `email` the invitation goes there by mail. Without it the answer has a code to hand over, shown this once.',
  acceptShare: 'Until it is accepted, the account is not among those of the caller.',
  listTrash: '`purgeAt` says when each thing is erased for good.',
  restoreFromTrash:
    'Everything comes back with the same id. If its name is taken by now, change that of the other thing first.',
  createBackup:
    'Answers at once; the archive is made in the background. `GET /backup/{id}` says when it is ready.',
  getJob:
    'Ask again every few seconds until `state` is `succeeded`, `failed`, `cancelled` or `dead`.',
  getHealth:
    'For load balancers. `GET /health/ready` also asks the database, the files and the queue.',
}

/** By operation. */
export const TEXTS: Record<string, string> = {
  ...SIGN_IN,
  ...ACCOUNTS,
  ...TRANSACTIONS,
  ...NAMES,
  ...OTHERS,
}
