/**
 * Every permission there is. A route names exactly one; a role holds any number. `adminOnly` ones are
 * held by the system role `admin` alone, unless an administrator puts them into a role of their own.
 * `sessionOnly` ones need a person who signed in: no personal access token has them. One with `widens` is asked for by
 * no route of its own: the operations of the permission that it names tell more to whoever holds it as well.
 */
export const PERMISSIONS = {
  'accounts.read': { area: 'Accounts', description: 'See accounts, balances and the home page' },
  'accounts.write': { area: 'Accounts', description: 'Open, change and delete accounts' },
  'accountHistory.read': { area: 'Account history', description: 'See the history of accounts' },
  'accountHistory.write': {
    area: 'Account history',
    description: 'Comment on and hide records of account history',
  },
  'transactions.read': { area: 'Transactions', description: 'See transactions' },
  'transactions.write': {
    area: 'Transactions',
    description: 'Record, change and delete transactions',
  },
  'transfers.read': { area: 'Transfers', description: 'See transfers' },
  'transfers.write': { area: 'Transfers', description: 'Record, change and delete transfers' },
  'categories.read': { area: 'Categories', description: 'See categories' },
  'categories.write': { area: 'Categories', description: 'Create and change categories' },
  'currencies.read': { area: 'Currencies', description: 'See currencies, and the own ones' },
  'currencies.write': {
    area: 'Currencies',
    description: 'Choose own currencies and the base currency',
  },
  'exchangeRates.read': {
    area: 'Exchange rates',
    description: 'See exchange rates, and convert by them',
  },
  'exchangeRates.write': {
    area: 'Exchange rates',
    description: 'Add, change and delete own exchange rates',
  },
  'tags.read': { area: 'Tags', description: 'See tags' },
  'tags.write': { area: 'Tags', description: 'Create, change, merge and delete tags' },
  'payees.read': { area: 'Payees', description: 'See payees and their aliases' },
  'payees.write': {
    area: 'Payees',
    description: 'Create, change, merge and delete payees and their aliases',
  },
  'rules.read': { area: 'Rules', description: 'See rules' },
  'rules.write': { area: 'Rules', description: 'Create, change, order and delete rules' },
  'valuations.read': { area: 'Valuations', description: 'See what assets were worth' },
  'valuations.write': { area: 'Valuations', description: 'Say what assets are worth' },
  'balanceAssertions.read': {
    area: 'Balance assertions',
    description: 'See what accounts should have held',
  },
  'balanceAssertions.write': {
    area: 'Balance assertions',
    description: 'State what accounts held',
  },
  'reconciliations.read': {
    area: 'Reconciliations',
    description: 'See how accounts were compared with statements',
  },
  'reconciliations.write': {
    area: 'Reconciliations',
    description: 'Compare accounts with statements, and reconcile transactions',
  },
  'periodLocks.read': { area: 'Period locks', description: 'See which periods are locked' },
  'periodLocks.write': { area: 'Period locks', description: 'Lock periods, and end locks' },
  'recurring.read': {
    area: 'Recurring transactions',
    description: 'See recurring transactions, and what is due',
  },
  'recurring.write': {
    area: 'Recurring transactions',
    description: 'Create, change, book and delete recurring transactions',
  },
  'budgets.read': { area: 'Budgets', description: 'See budgets, own ones and those of groups' },
  'budgets.write': {
    area: 'Budgets',
    description: 'Create, change, close and delete budgets, and assign money in them',
  },
  'search.read': {
    area: 'Search',
    description: 'Search for things of all kinds that the other permissions show',
  },
  'savedViews.read': { area: 'Saved views', description: 'See own saved views' },
  'savedViews.write': { area: 'Saved views', description: 'Create, change and delete saved views' },
  'webhooks.read': { area: 'Webhooks', description: 'See own webhooks, and what was sent to them' },
  'webhooks.write': { area: 'Webhooks', description: 'Create, change, test and delete webhooks' },
  'reports.read': { area: 'Reports', description: 'See reports over the own accounts' },
  'groups.read': {
    area: 'Groups',
    description: 'See own groups, their members and what is shared',
  },
  'groups.write': {
    area: 'Groups',
    description: 'Create, change, join and leave groups, and invite into them',
  },
  'shares.read': { area: 'Sharing', description: 'See which accounts are shared with whom' },
  'shares.write': {
    area: 'Sharing',
    description: 'Share own accounts, and accept what others share',
  },
  'attachments.read': { area: 'Files', description: 'See and download files' },
  'attachments.write': { area: 'Files', description: 'Upload, change, link and delete files' },
  'imports.read': { area: 'Imports', description: 'See imports of bank files, and their rows' },
  'imports.write': { area: 'Imports', description: 'Import bank files, and take imports back' },
  'backups.read': { area: 'Backups', description: 'See and download own backups' },
  'backups.write': { area: 'Backups', description: 'Have a backup of all that is owned made' },
  'exports.read': { area: 'Exports', description: 'See and download own exports' },
  'exports.write': { area: 'Exports', description: 'Have exports made, and delete them' },
  'auditLog.read': { area: 'Audit log', description: 'See what happened to own data' },
  'events.read': { area: 'Change feed', description: 'See what changed, to keep a copy of it' },
  'trash.read': { area: 'Trash', description: 'See what was deleted' },
  'trash.write': { area: 'Trash', description: 'Restore what was deleted, or erase it for good' },
  'notifications.read': { area: 'Notifications', description: 'See own notifications' },
  'notifications.write': { area: 'Notifications', description: 'Mark own notifications as read' },
  'jobs.read': { area: 'Jobs', description: 'See own work that is done in the background' },
  'jobs.write': { area: 'Jobs', description: 'Call off own work that is done in the background' },
  'profile.read': { area: 'User', description: 'See the own user and its permissions' },
  'profile.write': {
    area: 'User',
    description: 'Change the own user and its password, and confirm its address',
    sessionOnly: true,
  },
  'profile.delete': {
    area: 'User',
    description: 'Erase the own user or its data',
    sessionOnly: true,
  },
  'preferences.read': { area: 'User', description: 'See own preferences' },
  'preferences.write': { area: 'User', description: 'Change own preferences' },
  'mfa.read': { area: 'Authentication', description: 'See own second factors' },
  'mfa.write': {
    area: 'Authentication',
    description: 'Turn own second factors on and off',
    sessionOnly: true,
  },
  'sessions.read': { area: 'Authentication', description: 'See own sessions' },
  'sessions.write': {
    area: 'Authentication',
    description: 'End own sessions',
    sessionOnly: true,
  },
  'tokens.read': { area: 'Authentication', description: 'See own personal access tokens' },
  'tokens.write': {
    area: 'Authentication',
    description: 'Create, change and revoke own personal access tokens',
    sessionOnly: true,
  },
  'inviteCodes.read': { area: 'Invite codes', description: 'See own invite codes' },
  'inviteCodes.write': {
    area: 'Invite codes',
    description: 'Issue, change and revoke own invite codes',
  },
  'reference.read': {
    area: 'Administration',
    description: 'See which operation needs which permission',
    adminOnly: true,
  },
  'permissions.read': {
    area: 'Administration',
    description: 'See the permission catalogue',
    adminOnly: true,
  },
  'roles.read': { area: 'Administration', description: 'See roles', adminOnly: true },
  'roles.write': {
    area: 'Administration',
    description: 'Create, change and delete roles',
    adminOnly: true,
  },
  'users.read': { area: 'Administration', description: 'See all users', adminOnly: true },
  'users.write': {
    area: 'Administration',
    description: 'Create, change, disable and delete users, and give them roles',
    adminOnly: true,
  },
  'allInviteCodes.read': {
    area: 'Administration',
    description: 'See the invite codes of everybody',
    adminOnly: true,
  },
  'allInviteCodes.write': {
    area: 'Administration',
    description: 'Issue invite codes and revoke those of everybody',
    adminOnly: true,
  },
  'settings.read': {
    area: 'Administration',
    description: 'See the settings of the service',
    adminOnly: true,
  },
  'settings.write': {
    area: 'Administration',
    description: 'Change the settings of the service',
    adminOnly: true,
  },
  'identityProviders.read': {
    area: 'Administration',
    description: 'See identity providers',
    adminOnly: true,
  },
  'identityProviders.write': {
    area: 'Administration',
    description: 'Add, change and delete identity providers',
    adminOnly: true,
  },
  'queueTasks.read': {
    area: 'Administration',
    description: 'See the tasks of everybody and of the service',
    adminOnly: true,
  },
  'queueTasks.write': {
    area: 'Administration',
    description: 'Retry, cancel and purge the tasks of everybody and of the service',
    adminOnly: true,
  },
  'allGroups.read': {
    area: 'Administration',
    description: 'See all groups and their members',
    adminOnly: true,
  },
  'allGroups.write': {
    area: 'Administration',
    description: 'Change, suspend and delete groups, and say who is in them',
    adminOnly: true,
  },
  'allShares.read': {
    area: 'Administration',
    description: 'See what everybody shares',
    adminOnly: true,
  },
  'allShares.write': {
    area: 'Administration',
    description: 'Share what is somebody else’s, and stop that',
    adminOnly: true,
  },
  'storageClasses.read': {
    area: 'Administration',
    description: 'See storage classes and what is kept in them',
    adminOnly: true,
  },
  'storageClasses.write': {
    area: 'Administration',
    description: 'Create, change, assign and delete storage classes',
    adminOnly: true,
  },
  'metrics.read': {
    area: 'Administration',
    description: 'See how much the service is used, and how it is',
    adminOnly: true,
  },
  'allAuditLogs.read': {
    area: 'Administration',
    description: 'Search, verify and export the whole audit log',
    adminOnly: true,
  },
  'auditLogTexts.read': {
    area: 'Administration',
    description: 'See account numbers and free text in the whole audit log',
    adminOnly: true,
    widens: 'allAuditLogs.read',
  },
  'maintenance.write': {
    area: 'Administration',
    description: 'Have the service check and clean up after itself',
    adminOnly: true,
  },
  'systemRates.read': {
    area: 'Administration',
    description: 'See the exchange rates of the system as such',
    adminOnly: true,
  },
  'systemRates.write': {
    area: 'Administration',
    description: 'Add and delete the exchange rates that everybody sees, and have them fetched',
    adminOnly: true,
  },
} as const satisfies Record<
  string,
  {
    area: string
    description: string
    adminOnly?: boolean
    sessionOnly?: boolean
    widens?: string
  }
>

export type Permission = keyof typeof PERMISSIONS
export type SystemRole = 'admin' | 'user'

export const PERMISSION_KEYS = Object.keys(PERMISSIONS) as Permission[]

export const isAdminOnly = (permission: Permission): boolean =>
  'adminOnly' in PERMISSIONS[permission]

export const isSessionOnly = (permission: Permission): boolean =>
  'sessionOnly' in PERMISSIONS[permission]

/** The permission whose operations tell more to whoever holds this one, too. */
export const widenedBy = (permission: Permission): string | undefined => {
  const known = PERMISSIONS[permission]
  return 'widens' in known ? known.widens : undefined
}

const USER_PERMISSIONS = PERMISSION_KEYS.filter((permission) => !isAdminOnly(permission))

/** True if a permission gives power over other users. A `sessionOnly` permission concerns its holder alone. */
export const isPowerOverOthers = (permission: Permission): boolean => !isSessionOnly(permission)

/** The system roles that hold a permission. */
export const systemRolesHolding = (permission: Permission): SystemRole[] =>
  isAdminOnly(permission) ? ['admin'] : ['admin', 'user']

/** Returns the permissions of a role: by the catalogue for a system role, else those that were stored for it. */
export function permissionsOfRole(system: SystemRole | null, stored: string[]): Permission[] {
  if (system === 'admin') {
    return PERMISSION_KEYS
  }
  if (system === 'user') {
    return USER_PERMISSIONS
  }
  // A key that left the catalogue grants nothing.
  return PERMISSION_KEYS.filter((permission) => stored.includes(permission))
}
