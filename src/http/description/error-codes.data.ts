/** The errors of each operation besides those that its shape implies: `npm run errors` adds what tests see. */
export const ERROR_CODES: Record<string, string> = {
  acceptGroupInvite:
    'groups.alreadyMember groups.full groups.invalidInvite groups.tokenIsRestricted request.limited',
  acceptShare: 'request.conflict sharing.alreadyShared sharing.notFound sharing.withOwner',
  addGroupMember:
    'groups.alreadyMember groups.notFound groups.strongerMember groups.tokenIsRestricted groups.unknownUser',
  adjustBalance:
    'auth.rightNeeded money.outOfRange money.tooManyDigits request.conflict transactions.accountClosed transactions.accountNotFound',
  applyBudgetTemplate:
    'budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notFound budgets.overAssigned budgets.periodClosed budgets.templateNotFound budgets.tooMany ledger.outOfRange',
  assignMoney:
    'budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notFound budgets.overAssigned budgets.periodClosed budgets.tooMany budgets.unknownLine budgets.unknownTemplate budgets.wrongMode ledger.outOfRange',
  authorizeWithProvider: 'auth.redirectNotAllowed auth.unknownProvider request.limited',
  beginTotp: 'auth.mfaOn auth.proofNeeded auth.wrongPassword request.limited',
  cancelJob: 'tasks.notCancellable tasks.notFound',
  cancelQueueTask: 'tasks.changedMeanwhile tasks.ended tasks.notFound',
  changeBaseCurrency: 'currencies.baseChanged',
  changeEmail: 'auth.sameEmail auth.wrongPassword request.limited',
  changePassword:
    'auth.passwordTooCommon auth.passwordTooLong auth.passwordTooShort auth.passwordTooShortWithMfa auth.wrongPassword request.limited',
  closeAccount:
    'accounts.balanceLeft accounts.changedMeanwhile accounts.closedAlready accounts.notFound accounts.sameAccount accounts.targetClosed accounts.targetNotFound accounts.toAmountNeeded auth.rightNeeded',
  closeBudgetPeriod:
    'budgets.groupReadOnly budgets.mayNotManage budgets.noSuchPeriod budgets.notEnded budgets.notFound budgets.notOldestOpen ledger.outOfRange request.conflict',
  confirmTotp: 'auth.mfaNotBegun auth.mfaOn auth.wrongCode request.limited',
  convertAmount: 'exchangeRates.noRate money.outOfRange money.tooManyDigits',
  copyBudget:
    'budgets.groupReadOnly budgets.nameTaken budgets.noSuchPeriod budgets.notFound budgets.tooMany budgets.unknownGroup',
  createAccessToken:
    'accessTokens.notHeld accessTokens.past accessTokens.tooMany accessTokens.unknownAccount auth.proofNeeded auth.wrongCode auth.wrongPassword request.limited',
  createAccount:
    'accounts.nameTaken accounts.tokenIsRestricted accounts.unknownGroup money.negative money.outOfRange money.tooManyDigits',
  createAccountGroup:
    'accountGroups.nameTaken accountGroups.tokenIsRestricted accountGroups.tooMany accounts.repeatedAccount accounts.targetNotFound auth.rightNeeded',
  createAttachment:
    'attachments.empty attachments.groupNotAllowed attachments.quota attachments.targetNotAllowed attachments.tokenIsRestricted attachments.typeNotAllowed attachments.unknownGroup attachments.unknownTarget files.tooLarge files.truncated',
  createBackup: 'backups.tokenIsRestricted backups.tooMany backups.underWay',
  createBudget:
    'budgets.groupReadOnly budgets.groupSuspended budgets.invalidPeriod budgets.nameTaken budgets.tooMany budgets.unknownAccount budgets.unknownGroup budgets.unknownIncomeCategory budgets.wrongMode calendar.outOfRange',
  createBudgetLine:
    'budgets.categoryTaken budgets.groupReadOnly budgets.groupSuspended budgets.lineNameTaken budgets.notFound budgets.tooDeep budgets.unknownAccount budgets.unknownCategory budgets.unknownParent budgets.unknownScope budgets.wrongMode money.negative money.outOfRange money.tooManyDigits',
  createBudgetTemplate:
    'budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notFound budgets.templateNameTaken budgets.tooMany budgets.unknownLine money.negative money.outOfRange money.tooManyDigits',
  createCategory:
    'categories.kindMismatch categories.nameTaken categories.tooDeep categories.tooMany categories.unknownParent',
  createDownloadLink: 'attachments.notFound',
  createExchangeRate: 'exchange.malformedRate exchangeRates.samePair exchangeRates.taken',
  createExchangeRates:
    'exchange.malformedRate exchangeRates.changedMeanwhile exchangeRates.repeated exchangeRates.samePair exchangeRates.taken',
  createExpense:
    'accounts.ambiguousName auth.rightNeeded categories.ambiguousName categories.archivedCategory categories.incomeName categories.ownerCreates categories.unknownName ledger.createdMeanwhile money.negative money.outOfRange money.tooManyDigits payees.ambiguousName payees.archivedPayee payees.notThere payees.ownerCreates payees.unknownName tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryKind transactions.externalIdTaken transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partRateWithinCurrency transactions.partSelf transactions.unknownAccount transactions.unknownCategory',
  createGroup: 'groups.tokenIsRestricted groups.tooMany',
  createGroupInvite:
    'groups.invalidExpiry groups.notFound groups.roleTooLow groups.suspended groups.tooManyInvites request.limited',
  createIdentityProvider:
    'identityProviders.domainTaken identityProviders.invalidDomain identityProviders.invalidIssuer identityProviders.nameTaken identityProviders.permissionNotHeld identityProviders.roleChanged identityProviders.secretRequired identityProviders.unknownRole',
  createInviteCode:
    'inviteCodes.groupNotOpen inviteCodes.invalidExpiry inviteCodes.registrationClosed inviteCodes.roleNeedsGroup inviteCodes.roleNotGrantable',
  createInviteCodes: 'inviteCodes.groupNotOpen inviteCodes.roleNotGrantable',
  createPayee: 'payees.aliasTaken payees.nameTaken payees.unknownCategory',
  createPayeeAlias: 'payees.aliasTaken payees.notFound payees.tooManyAliases',
  createRole: 'roles.nameTaken roles.permissionNotHeld',
  createShare:
    'sharing.alreadyShared sharing.endsInPast sharing.ownerOnly sharing.tooMany sharing.unknownAccount sharing.unknownUser sharing.withOwner',
  createStarterCategories: 'categories.tooMany request.conflict',
  createStorageClass: 'storageClasses.nameTaken',
  createSystemRates: 'exchangeRates.taken',
  createTag: 'tags.nameTaken',
  createTransaction:
    'accounts.ambiguousName auth.rightNeeded categories.ambiguousName categories.archivedCategory categories.incomeName categories.ownerCreates categories.unknownName exchange.malformedRate ledger.createdMeanwhile ledger.outOfRange money.negative money.outOfRange money.tooManyDigits money.zero payees.ambiguousName payees.archivedPayee payees.notThere payees.ownerCreates payees.unknownName tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryAndSplits transactions.categoryKind transactions.categoryOnAdjustment transactions.originalIncomplete transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partRateWithinCurrency transactions.partSelf transactions.splitSum transactions.tooManyTagsOfParts transactions.tooManyTransferParts transactions.unknownAccount transactions.unknownCategory transfers.otherOwner',
  createTransactionLink:
    'auth.rightNeeded request.conflict transactions.linkAmountNeeded transactions.linkKinds transactions.linkedAlready transactions.linkedToItself transactions.linkedTooMuch transactions.notFound transactions.reconciled transactions.tooManyLinks transactions.unknownTransaction',
  createTransactions:
    'accounts.ambiguousName auth.rightNeeded categories.ambiguousName categories.archivedCategory categories.incomeName categories.ownerCreates categories.unknownName ledger.createdMeanwhile money.outOfRange money.tooManyDigits payees.ambiguousName payees.archivedPayee payees.notThere payees.ownerCreates payees.unknownName tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryKind transactions.externalIdTaken transactions.originalIncomplete transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partRateWithinCurrency transactions.partSelf transactions.splitSum transactions.tooManyLines transactions.unknownAccount transactions.unknownCategory',
  createTransfer:
    'accounts.ambiguousName auth.rightNeeded categories.ambiguousName categories.archivedCategory categories.incomeName categories.ownerCreates categories.unknownName exchange.malformedRate ledger.createdMeanwhile ledger.feeTooLarge ledger.outOfRange ledger.transferMismatch money.negative money.outOfRange money.tooManyDigits money.zero transfers.accountClosed transfers.archivedCategory transfers.arrivesAsZero transfers.categoryKind transfers.otherOwner transfers.rateWithinCurrency transfers.sameAccount transfers.toAmountNeeded transfers.toAmountOrRate transfers.unknownAccount transfers.unknownCategory',
  createUser:
    'auth.notHeld auth.passwordIsPersonal auth.passwordTooShort users.emailTaken users.permissionNotHeld users.unknownRole',
  createValuation:
    'auth.rightNeeded money.outOfRange money.tooManyDigits request.conflict valuations.accountClosed valuations.dayTaken valuations.onBudget valuations.reconciled valuations.unknownAccount',
  declineGroupInvite: 'groups.invalidInvite request.limited',
  deleteAccessToken: 'accessTokens.notFound',
  deleteAccount: 'accounts.notFound auth.rightNeeded request.notFound',
  deleteAccountGroup: 'accountGroups.notFound accountGroups.tokenIsRestricted',
  deleteAccountHistory: 'accountHistory.notFound accountHistory.notOwn',
  deleteAnyGroup: 'groups.notFound groups.strongerMember groups.tokenIsRestricted',
  deleteAttachment: 'attachments.notAllowed attachments.notFound',
  deleteAvatar: 'user.noAvatar',
  deleteBackup: 'backups.notFound backups.tokenIsRestricted',
  deleteBudget:
    'budgets.groupReadOnly budgets.groupSuspended budgets.mayNotManage budgets.notFound',
  deleteBudgetLine:
    'budgets.groupReadOnly budgets.groupSuspended budgets.lineNotFound budgets.notFound budgets.paymentLine budgets.unknownLine budgets.unknownScope',
  deleteBudgetTemplate:
    'budgets.groupReadOnly budgets.groupSuspended budgets.notFound budgets.templateNotFound',
  deleteCategory:
    'auth.accountHidden categories.childNameTaken categories.inUse categories.notFound categories.targetArchived categories.targetBelow categories.targetKind categories.tooDeep categories.unknownTarget',
  deleteExchangeRate: 'exchangeRates.notFound exchangeRates.systemRate',
  deleteExpense:
    'auth.ownBookingsOnly auth.rightNeeded transactions.notFound transactions.reconciled',
  deleteGroup: 'groups.notFound groups.roleTooLow groups.sharedMeanwhile groups.suspended',
  deleteIdentityProvider: 'identityProviders.notFound',
  deleteLineTarget:
    'budgets.groupReadOnly budgets.groupSuspended budgets.lineNotFound budgets.notFound budgets.wrongMode',
  deleteOwnUser:
    'auth.proofNeeded auth.wrongPassword request.limited user.deletionScheduled user.lastAdministrator',
  deletePayee: 'payees.inUse payees.notFound payees.unknownPayee',
  deletePayeeAlias: 'payees.aliasNotFound payees.notFound',
  deleteRole: 'roles.inUse roles.notFound roles.systemRole',
  deleteShare: 'sharing.notFound sharing.ofGroup',
  deleteSplits:
    'auth.ownBookingsOnly auth.rightNeeded transactions.hasTransferPart transactions.notFound transactions.reconciled transactions.transferLeg',
  deleteStorageClass: 'storageClasses.defaultStays storageClasses.inUse storageClasses.notFound',
  deleteSystemRate: 'exchangeRates.notFound',
  deleteTag: 'auth.accountHidden tags.notFound',
  deleteTransaction:
    'auth.ownBookingsOnly auth.rightNeeded transactions.accountClosed transactions.accountNotFound transactions.notFound transactions.opening transactions.partHidden transactions.partLeg transactions.reconciled transactions.transferLeg',
  deleteTransactionLink: 'auth.rightNeeded transactions.linkNotFound transactions.notFound',
  deleteTransactions:
    'auth.ownBookingsOnly auth.rightNeeded request.conflict transactions.accountClosed transactions.accountNotFound transactions.opening transactions.partLeg transactions.reconciled transactions.tooManyLines transactions.transferLeg transactions.unknownTransaction',
  deleteTransfer:
    'auth.ownBookingsOnly auth.rightNeeded transfers.accountClosed transfers.accountNotFound transfers.notFound transfers.reconciled',
  deleteUser:
    'auth.notHeld users.deleted users.lastAdministrator users.notFound users.ownUser users.strongerUser',
  deleteValuation: 'auth.rightNeeded valuations.notFound valuations.reconciled',
  disableTotp:
    'auth.mfaOff auth.passwordNeedsMfa auth.wrongCode auth.wrongPassword request.limited',
  dismissDuplicate: 'auth.rightNeeded transactions.notMergeable transactions.unknownTransaction',
  dismissTransferSuggestion: 'auth.rightNeeded transfers.notMatchable transfers.unknownTransaction',
  downloadAttachment: 'attachments.notFound',
  downloadAuditLogExport:
    'auditLog.exportNotKept auditLog.exportNotMasked auditLog.exportNotReady auditLog.restrictedToken auditLog.unknownExport',
  downloadBackup: 'backups.notFound backups.notReady backups.tokenIsRestricted',
  emptyTrash: 'trash.tokenIsRestricted',
  endSession: 'auth.unknownSession',
  eraseFromTrash: 'trash.changedMeanwhile trash.notFound',
  exchangeProviderCode:
    'auth.invalidCode auth.linkRequired auth.notProvisioned auth.providerChanged auth.userDisabled',
  exportAuditLog: 'auditLog.exportUnderWay auditLog.restrictedToken',
  followDownloadLink: 'attachments.linkInvalid',
  forgotPassword: 'request.limited',
  getAccessToken: 'accessTokens.notFound',
  getAccountBalance: 'accounts.notFound',
  getAccountByID: 'accounts.notFound',
  getAccountDetails: 'accounts.notFound',
  getAccountHistoryRecord: 'accountHistory.notFound',
  getAnyGroup: 'groups.notFound groups.tokenIsRestricted',
  getAttachment: 'attachments.notFound',
  getAttachmentUsage: 'attachments.tokenIsRestricted',
  getAuditLog: 'auditLog.notFound auditLog.restrictedToken',
  getAuditLogExport: 'auditLog.restrictedToken auditLog.unknownExport',
  getAvatar: 'user.noAvatar',
  getBackup: 'backups.notFound backups.tokenIsRestricted',
  getBalanceHistory: 'accounts.notFound accounts.tooManyPoints',
  getBudget: 'budgets.notFound',
  getBudgetByMember: 'budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  getBudgetChart: 'budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  getBudgetForecast: 'budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  getBudgetLine: 'budgets.lineNotFound budgets.notFound',
  getBudgetPeriod: 'budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  getBudgetSummary: 'ledger.outOfRange',
  getCategory: 'categories.notFound',
  getCategoryUsage: 'categories.notFound',
  getCurrency: 'currencies.notFound',
  getExchangeRate: 'exchangeRates.notFound',
  getExpense: 'transactions.notFound',
  getGroup: 'groups.notFound',
  getGroupSummary: 'groups.notFound',
  getIdentityProvider: 'identityProviders.notFound',
  getInviteCode: 'inviteCodes.notFound',
  getJob: 'tasks.notFound',
  getLineHistory:
    'budgets.invalidSpan budgets.lineNotFound budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  getNetWorthHistory: 'reports.tooManyPoints',
  getPayee: 'payees.notFound',
  getQueueTask: 'tasks.notFound',
  getRegister: 'accounts.notFound',
  getRole: 'roles.notFound',
  getStorageClass: 'storageClasses.notFound',
  getStorageClassUsage: 'storageClasses.notFound',
  getTag: 'tags.notFound',
  getTransaction: 'transactions.notFound',
  getTransfer: 'transfers.notFound',
  getUser: 'users.notFound',
  getValuation: 'valuations.notFound',
  getWipe: 'user.wipeNotScheduled',
  holdMoney:
    'budgets.changedMeanwhile budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notEnough budgets.notFound budgets.overAssigned budgets.periodClosed budgets.tooMany budgets.wrongMode ledger.outOfRange money.negative money.outOfRange money.tooManyDigits',
  leaveGroup: 'groups.notFound groups.ownerStays request.conflict',
  linkAttachment:
    'attachments.alreadyLinked attachments.notFound attachments.targetNotAllowed attachments.unknownTarget attachments.uploaderOnly',
  linkIdentity: 'auth.emailDiffers auth.identityTaken auth.providerChanged auth.unusableCode',
  listAccountLabels: 'transactions.accountNotFound',
  listAccountShares: 'accounts.notFound',
  listAllGroups: 'groups.tokenIsRestricted',
  listAllQueueTasks: 'request.invalidCursor',
  listAllShares: 'sharing.tokenIsRestricted',
  listAuditLogs: 'auditLog.restrictedToken',
  listBackups: 'backups.tokenIsRestricted',
  listBudgetAlerts: 'budgets.notFound',
  listBudgetLines: 'budgets.notFound',
  listBudgetPeriods: 'budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  listBudgetTemplates: 'budgets.notFound',
  listDownloads: 'attachments.tokenIsRestricted',
  listExchangeRatesOfPair: 'exchangeRates.samePair',
  listGroupAccounts: 'groups.notFound',
  listGroupActivity: 'groups.notFound',
  listGroupInvites: 'groups.notFound groups.roleTooLow groups.suspended',
  listGroupMembers: 'groups.notFound',
  listInviteCodeRedemptions: 'inviteCodes.notFound',
  listLineTransactions:
    'budgets.lineNotFound budgets.noSuchPeriod budgets.notFound ledger.outOfRange',
  listMovements: 'budgets.notFound',
  listPayeeAliases: 'payees.notFound',
  listReceivedGroupInvites: 'groups.tokenIsRestricted',
  listRoleUsers: 'roles.notFound',
  listSplits: 'transactions.notFound',
  listTransactionLinks: 'transactions.notFound',
  listTransactionVersions: 'transactions.notFound',
  login: 'auth.invalidCredentials request.limited',
  loginMfa: 'auth.invalidMfaCode auth.invalidMfaToken request.limited',
  matchTransfer:
    'auth.ownBookingsOnly auth.rightNeeded request.conflict transfers.accountClosed transfers.accountNotFound transfers.amountsDiffer transfers.categoryKind transfers.noFee transfers.notMatchable transfers.reconciled transfers.sameAccount transfers.splitRow transfers.unknownCategory transfers.unknownTransaction transfers.voidRow',
  mergeCategory:
    'auth.accountHidden categories.notFound categories.targetKind categories.tooManyLines categories.unknownCategory categories.unknownTarget request.conflict',
  mergeDuplicate:
    'auth.ownBookingsOnly auth.rightNeeded request.conflict transactions.accountClosed transactions.accountNotFound transactions.hasTransferPart transactions.linkedAmount transactions.notMergeable transactions.notSame transactions.privateIsOwn transactions.reconciled transactions.unknownTransaction transactions.voidDuplicate',
  mergePayees: 'payees.notFound payees.tooManyAliases payees.unknownPayee request.conflict',
  mergeTag: 'request.conflict request.notFound tags.mergedWithItself tags.notFound tags.unknownTag',
  moveMoney:
    'budgets.changedMeanwhile budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notEnough budgets.notFound budgets.nothingToCover budgets.overAssigned budgets.periodClosed budgets.tooMany budgets.unknownLine budgets.wrongMode ledger.outOfRange money.negative money.outOfRange money.tooManyDigits money.zero',
  previewBudgetPeriods: 'budgets.invalidPeriod',
  purgeQueueTasks: 'tasks.changedMeanwhile',
  refreshSystemRates: 'exchangeRates.noSource',
  refreshToken: 'auth.invalidRefreshToken',
  register:
    'auth.emailTaken auth.invalidInvite auth.inviteRequired auth.passwordIsCommonWords auth.passwordIsDigits auth.passwordIsPersonal auth.passwordIsSequence auth.passwordRepeats auth.passwordTooCommon auth.passwordTooLong auth.passwordTooShort auth.registrationClosed request.conflict request.limited',
  removeAnyGroupMember:
    'groups.memberNotFound groups.notFound groups.ownerStays groups.strongerMember groups.tokenIsRestricted',
  removeGroupMember: 'groups.memberNotFound groups.notFound groups.ownerStays groups.roleTooLow',
  renewRecoveryCodes: 'auth.mfaOff auth.wrongCode auth.wrongPassword',
  reopenAccount: 'accounts.notFound accounts.openAlready auth.rightNeeded',
  reopenBudgetPeriod:
    'budgets.groupReadOnly budgets.groupSuspended budgets.mayNotManage budgets.noSuchPeriod budgets.notFound budgets.notNewestClosed',
  reorderAccounts: 'accounts.repeatedAccount accounts.targetNotFound auth.rightNeeded',
  reorderBudgetLines:
    'budgets.groupReadOnly budgets.groupSuspended budgets.notFound budgets.unknownLine budgets.unknownParent',
  reorderCategories:
    'categories.belowItself categories.kindMismatch categories.nameTaken categories.namedTwice categories.tooDeep categories.unknownCategory categories.unknownParent request.conflict',
  replaceSplits:
    'auth.ownBookingsOnly auth.rightNeeded money.outOfRange money.tooManyDigits money.zero payees.archivedPayee payees.notThere tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryKind transactions.notFound transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partRateWithinCurrency transactions.partSelf transactions.reconciled transactions.splitSum transactions.transferLeg transactions.unknownAccount transactions.unknownCategory transactions.unknownSplit',
  resendConfirmation: 'auth.emailVerified request.limited',
  resetPassword: 'auth.invalidToken auth.passwordTooShort request.limited',
  resetUserMfa:
    'auth.notHeld request.conflict users.mfaOff users.notFound users.ownUser users.strongerUser',
  resetUserPassword:
    'auth.notHeld request.conflict users.notFound users.ownUser users.revealNeedsPerson users.strongerUser',
  restoreAttachment: 'attachments.notFound',
  restoreFromTrash:
    'budgets.groupSuspended budgets.tooMany trash.accountClosed trash.accountInTrash trash.changedMeanwhile trash.externalIdTaken trash.nameTaken trash.notFound trash.placeTaken trash.tooManyCategories',
  restoreOwnUser: 'request.conflict user.deletionNotScheduled',
  restoreUser:
    'auth.notHeld request.conflict users.beingErased users.notDeleted users.notFound users.strongerUser',
  retryQueueTask: 'tasks.calledOff tasks.changedMeanwhile tasks.notEnded tasks.notFound',
  returnFromProvider:
    'auth.emailNotVerified auth.foreignDomain auth.invalidFlow auth.providerRefused auth.unusableEmail',
  revokeAnyInviteCode: 'inviteCodes.notFound',
  revokeInviteCode: 'inviteCodes.notFound',
  revokeUserSessions: 'auth.notHeld users.notFound users.strongerUser',
  setAllocation:
    'budgets.changedMeanwhile budgets.groupReadOnly budgets.groupSuspended budgets.lineNotFound budgets.noSuchPeriod budgets.notFound budgets.overAssigned budgets.periodClosed budgets.tooMany budgets.wrongMode ledger.outOfRange money.negative money.outOfRange money.tooManyDigits',
  setAllocations:
    'budgets.changedMeanwhile budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notFound budgets.overAssigned budgets.periodClosed budgets.tooMany budgets.unknownLine budgets.wrongMode ledger.outOfRange money.negative',
  setAvatar: 'files.tooLarge user.noPicture',
  setGroupStorageClass: 'storageClasses.groupNotFound storageClasses.unknown',
  setLineTarget:
    'budgets.groupReadOnly budgets.groupSuspended budgets.invalidTarget budgets.lineNotFound budgets.noSuchPeriod budgets.notFound budgets.wrongMode money.outOfRange money.tooManyDigits money.zero',
  setOwnCurrencies: 'currencies.repeated',
  setUserRoles:
    'auth.notHeld users.lastAdministrator users.notFound users.permissionNotHeld users.strongerUser users.unknownRole',
  shareAccountToGroup:
    'accounts.notFound sharing.groupSuspended sharing.ownerOnly sharing.unknownGroup sharing.viewersShareNothing',
  shareBudgetToGroup:
    'budgets.closedPrivate budgets.groupReadOnly budgets.groupSuspended budgets.mayNotManage budgets.nameTaken budgets.notFound budgets.tooMany budgets.unknownGroup',
  shareResource:
    'auth.notHeld sharing.alreadyShared sharing.rightNotHeld sharing.strongerUser sharing.tokenIsRestricted sharing.unknownAccount sharing.unknownUser sharing.withOwner',
  snoozeLineTarget:
    'budgets.groupReadOnly budgets.groupSuspended budgets.lineNotFound budgets.noSuchPeriod budgets.noTarget budgets.notFound budgets.wrongMode',
  suggestBudgetLines: 'budgets.groupReadOnly budgets.notFound',
  suggestTransfers: 'ledger.window',
  testIdentityProvider: 'identityProviders.notFound',
  transferGroupOwner: 'groups.notFound groups.roleTooLow groups.unknownMember',
  undoMovement:
    'budgets.groupReadOnly budgets.groupSuspended budgets.movementNotFound budgets.notFound budgets.nothingToUndo budgets.overAssigned budgets.periodClosed',
  undoWipe: 'user.wipeNotScheduled user.wipeRunning',
  unlinkAttachment: 'attachments.linkNotFound attachments.notAllowed attachments.notFound',
  unlinkIdentity: 'auth.identityNotFound auth.lastWayIn',
  unmatchTransfer:
    'auth.ownBookingsOnly auth.rightNeeded request.conflict transfers.accountClosed transfers.accountNotFound transfers.linkedAmount transfers.notFound transfers.reconciled',
  unshareAccountFromGroup: 'accounts.notFound sharing.notShared sharing.ownerOnly',
  unshareBudgetFromGroup:
    'budgets.groupSuspended budgets.mayNotManage budgets.notFound budgets.notInGroup',
  unshareResource: 'sharing.notFound sharing.strongerUser sharing.tokenIsRestricted',
  updateAccessToken: 'accessTokens.notFound accessTokens.wider',
  updateAccount:
    'accounts.closed accounts.creditLimitNeeded accounts.currencyFixed accounts.foldersAreOwn accounts.nameTaken accounts.notFound accounts.openingReconciled accounts.unknownGroup auth.rightNeeded money.outOfRange',
  updateAccountGroup:
    'accountGroups.notFound accountGroups.tokenIsRestricted accounts.targetNotFound',
  updateAccountHistoryComment: 'accountHistory.notFound accountHistory.notOwn',
  updateAnyGroup: 'groups.notFound groups.strongerMember groups.tokenIsRestricted',
  updateAttachment: 'attachments.notAllowed attachments.notFound',
  updateBudget:
    'budgets.changedMeanwhile budgets.fixed budgets.groupReadOnly budgets.groupSuspended budgets.invalidPeriod budgets.nameTaken budgets.notFound budgets.tooMany budgets.unknownAccount budgets.unknownIncomeCategory budgets.wrongMode calendar.outOfRange',
  updateBudgetLine:
    'budgets.categoryTaken budgets.groupReadOnly budgets.groupSuspended budgets.lineNameTaken budgets.lineNotFound budgets.noSuchPeriod budgets.notFound budgets.paymentLine budgets.periodClosed budgets.tooDeep budgets.unknownAccount budgets.unknownCategory budgets.unknownParent budgets.unknownScope budgets.wrongMode money.negative money.outOfRange money.tooManyDigits',
  updateBudgetPeriod:
    'budgets.groupReadOnly budgets.groupSuspended budgets.noSuchPeriod budgets.notFound budgets.unknownLine ledger.outOfRange',
  updateBudgetTemplate:
    'budgets.groupReadOnly budgets.groupSuspended budgets.notFound budgets.templateNameTaken budgets.templateNotFound budgets.unknownLine money.negative money.outOfRange money.tooManyDigits',
  updateCategory:
    'categories.belowItself categories.kindMismatch categories.kindStays categories.nameTaken categories.notFound categories.tooDeep categories.unknownParent',
  updateExchangeRate:
    'exchange.malformedRate exchangeRates.notFound exchangeRates.samePair exchangeRates.systemRate exchangeRates.taken',
  updateExpense:
    'auth.rightNeeded payees.archivedPayee payees.notThere tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryKind transactions.notFound transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partRateWithinCurrency transactions.partSelf transactions.reconciled transactions.unknownAccount transactions.unknownCategory',
  updateGroup: 'groups.notFound groups.roleTooLow groups.suspended',
  updateGroupMember: 'groups.memberNotFound groups.notFound groups.ownerStays groups.roleTooLow',
  updateIdentityProvider:
    'identityProviders.domainTaken identityProviders.invalidIssuer identityProviders.nameTaken identityProviders.notFound identityProviders.permissionNotHeld identityProviders.secretRequired identityProviders.unknownRole',
  updateInviteCode:
    'inviteCodes.fewerThanUsed inviteCodes.groupNotOpen inviteCodes.invalidExpiry inviteCodes.notFound inviteCodes.roleNotGrantable',
  updatePayee: 'payees.notFound payees.unknownCategory',
  updatePreferences: 'user.unknownAccount',
  updateRole: 'roles.nameTaken roles.notFound roles.permissionNotHeld roles.systemRole',
  updateShare: 'sharing.notFound sharing.ownerOnly',
  updateSplit:
    'auth.rightNeeded payees.archivedPayee payees.notThere tags.archivedTag tags.unknownTag transactions.accountClosed transactions.archivedCategory transactions.categoryKind transactions.notFound transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partHidden transactions.partLeg transactions.partRateWithinCurrency transactions.partSelf transactions.reconciled transactions.splitNotFound transactions.splitSum transactions.tooManyTagsOfParts transactions.unknownAccount transactions.unknownCategory',
  updateStorageClass:
    'storageClasses.changedMeanwhile storageClasses.defaultStays storageClasses.nameTaken storageClasses.notFound',
  updateTag: 'tags.nameTaken tags.notFound',
  updateTransaction:
    'auth.ownBookingsOnly auth.rightNeeded exchange.malformedRate money.negative money.outOfRange money.tooManyDigits money.zero payees.archivedPayee payees.notThere tags.archivedTag tags.unknownTag transactions.accountClosed transactions.accountNotFound transactions.archivedCategory transactions.categoryAndSplits transactions.categoryKind transactions.categoryOnAdjustment transactions.externalIdTaken transactions.linkedAmount transactions.notFound transactions.opening transactions.originalIncomplete transactions.otherCurrency transactions.otherOwner transactions.partAccountNeeded transactions.partAmountAndRate transactions.partAmountDiffers transactions.partAmountNeeded transactions.partArrivesAsZero transactions.partHasPayee transactions.partHidden transactions.partLeg transactions.partRateWithinCurrency transactions.partSelf transactions.privateIsOwn transactions.reconciled transactions.splitSum transactions.transferLeg transactions.unknownAccount transactions.unknownCategory',
  updateTransactions:
    'auth.ownBookingsOnly auth.rightNeeded payees.archivedPayee payees.notThere tags.archivedTag tags.unknownTag transactions.accountClosed transactions.accountNotFound transactions.archivedCategory transactions.categoryKind transactions.externalIdTaken transactions.partHidden transactions.privateIsOwn transactions.reconciled transactions.tooManyLines transactions.tooManyMatches transactions.tooManyTags transactions.transferLeg transactions.unknownCategory transactions.unknownTransaction',
  updateTransfer:
    'auth.ownBookingsOnly auth.rightNeeded ledger.feeTooLarge money.outOfRange money.tooManyDigits money.zero tags.unknownTag transfers.accountClosed transfers.accountNotFound transfers.archivedCategory transfers.categoryKind transfers.notFound transfers.otherCurrency transfers.rateWithinCurrency transfers.reconciled transfers.sameAccount transfers.toAmountNeeded transfers.toAmountOrRate transfers.unknownAccount transfers.unknownCategory',
  updateUser:
    'auth.notHeld users.deleted users.emailTaken users.lastAdministrator users.notFound users.ownUser users.strongerUser',
  updateValuation:
    'auth.ownBookingsOnly auth.rightNeeded valuations.accountClosed valuations.accountNotFound valuations.dayTaken valuations.notFound valuations.onBudget',
  validateInviteCode: 'request.limited',
  verifyAuditLog: 'auditLog.notSealed auditLog.restrictedToken',
  verifyEmail: 'auth.emailTaken auth.invalidToken request.limited',
  wipeData: 'auth.wrongPassword request.limited user.wipeScheduled',
  withdrawGroupInvite: 'groups.inviteNotFound groups.notFound',
}
