/** The areas of the API, most common first. Swagger UI and generators keep this order. */
export const TAGS: { name: string; description: string }[] = [
  {
    name: 'Authentication',
    description:
      'Registers users, signs them in and out, and manages passwords, addresses, sessions and second factors.',
  },
  {
    name: 'User',
    description: 'Shows and changes the profile, picture, preferences and data of the caller.',
  },
  {
    name: 'Accounts',
    description: 'Manages accounts with their balances, and folders to organize them.',
  },
  {
    name: 'Transactions',
    description: 'Records, finds, splits, links and changes transactions on accounts.',
  },
  {
    name: 'Expenses',
    description: 'Manages transactions of the kind `expense` as a separate resource.',
  },
  {
    name: 'Transfers',
    description: 'Moves money between two accounts, in one currency or across currencies.',
  },
  { name: 'Categories', description: 'Manages the tree of categories for income and expenses.' },
  {
    name: 'Payees',
    description: 'Manages the people and businesses that transactions are made with.',
  },
  { name: 'Tags', description: 'Marks transactions with free labels, across categories.' },
  {
    name: 'Files',
    description: 'Stores receipts and other files, and attaches them to transactions and accounts.',
  },
  { name: 'Account history', description: 'Lists what happened to accounts and their balances.' },
  {
    name: 'Valuations',
    description: 'Records what a property, a vehicle or an investment is worth on a date.',
  },
  {
    name: 'Reconciliations',
    description: 'Compares accounts with statements of banks, and finds what differs.',
  },
  {
    name: 'Balance assertions',
    description: 'States what accounts held on a day, and tells where the books differ.',
  },
  {
    name: 'Period locks',
    description: 'Closes the books up to a day, and tells whether they stayed as they were.',
  },
  { name: 'Currencies', description: 'Lists currencies and those that the caller uses.' },
  {
    name: 'Exchange rates',
    description: 'Manages exchange rates, and converts amounts with them.',
  },
  { name: 'Reports', description: 'Shows net worth, today and over time.' },
  {
    name: 'Budgets',
    description: 'Plans spending by envelopes or limits, in periods of any length.',
  },
  {
    name: 'Imports',
    description: 'Turns files of banks and other programs into transactions, and takes them back.',
  },
  { name: 'Groups', description: 'Joins users into households, trips and projects.' },
  {
    name: 'Sharing',
    description: 'Lets other users view accounts or record transactions on them.',
  },
  { name: 'Invite codes', description: 'Invites people to register.' },
  { name: 'Trash', description: 'Lists deleted items, and restores or erases them.' },
  { name: 'Backups', description: 'Exports all data of the caller as an archive.' },
  { name: 'Exports', description: 'Writes selected data in formats that other programs read.' },
  {
    name: 'Jobs',
    description: 'Shows the background work that the caller started.',
  },
  {
    name: 'Personal access tokens',
    description: 'Lets scripts and other programs act for the caller.',
  },
  {
    name: 'Audit log',
    description: 'Shows who did what and when, and verifies that the log is intact.',
  },
  {
    name: 'Service',
    description: 'Shows the health, version, limits and features of the service.',
  },
  {
    name: 'Administration',
    description: 'Lists all operations, and manages the settings of the service.',
  },
  { name: 'Users', description: 'Lets administrators manage users.' },
  { name: 'Roles', description: 'Lets administrators manage roles and their permissions.' },
  {
    name: 'Identity providers',
    description: 'Lets administrators connect identity providers for sign-in.',
  },
  {
    name: 'Storage classes',
    description: 'Lets administrators define how files are stored, with which limits.',
  },
  {
    name: 'Metrics',
    description: 'Shows administrators the usage and the health of the service.',
  },
  {
    name: 'Queue tasks',
    description: 'Lets administrators monitor, retry and cancel background work.',
  },
  { name: 'Maintenance', description: 'Lets administrators check and repair the ledger.' },
]
