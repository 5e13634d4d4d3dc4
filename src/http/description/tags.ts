/** The areas of the interface in the order in which somebody meets them. Swagger UI and generators keep this order. */
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
    description: 'Keeps accounts with their balances, and folders to sort them.',
  },
  {
    name: 'Transactions',
    description: 'Records, finds, splits, links and changes what is booked on accounts.',
  },
  {
    name: 'Expenses',
    description: 'Shows transactions of the kind `expense` as a resource of their own.',
  },
  { name: 'Transfers', description: 'Moves money between two accounts, also across currencies.' },
  { name: 'Categories', description: 'Says what money was earned or spent for, in a tree.' },
  { name: 'Payees', description: 'Names the people and shops behind transactions.' },
  { name: 'Tags', description: 'Marks transactions freely, across categories.' },
  {
    name: 'Files',
    description: 'Keeps receipts and other files, and attaches them to transactions and accounts.',
  },
  { name: 'Account history', description: 'Lists what happened to accounts and their balances.' },
  {
    name: 'Valuations',
    description: 'Records what a property, a vehicle or an investment is worth on a date.',
  },
  { name: 'Currencies', description: 'Lists currencies, and which of them the caller uses.' },
  { name: 'Exchange rates', description: 'Keeps exchange rates, and converts amounts by them.' },
  { name: 'Reports', description: 'Sums up net worth, today and over time.' },
  { name: 'Groups', description: 'Joins users into households, trips and projects.' },
  { name: 'Sharing', description: 'Lets other users see accounts, or book on them.' },
  { name: 'Invite codes', description: 'Invites people to register.' },
  { name: 'Trash', description: 'Lists what was deleted, to restore it or to erase it for good.' },
  { name: 'Backups', description: 'Exports all data of the caller as an archive.' },
  {
    name: 'Jobs',
    description: 'Shows the work that the service does for the caller in the background.',
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
    description: 'Shows whether the service runs, which version it is, and what it offers.',
  },
  {
    name: 'Administration',
    description: 'Shows all operations, and changes the settings of the service.',
  },
  { name: 'Users', description: 'Lets administrators manage users.' },
  { name: 'Roles', description: 'Lets administrators manage roles and their permissions.' },
  {
    name: 'Identity providers',
    description: 'Lets administrators connect identity providers for sign-in.',
  },
  {
    name: 'Storage classes',
    description: 'Lets administrators say how files are stored, and how many.',
  },
  {
    name: 'Metrics',
    description: 'Shows administrators how the service is used, and how it fares.',
  },
  {
    name: 'Queue tasks',
    description: 'Lets administrators watch, repeat and cancel background work.',
  },
  { name: 'Maintenance', description: 'Lets administrators check and repair the books.' },
]
