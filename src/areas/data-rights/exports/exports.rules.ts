/** The maximum size of an export, which one run writes well within its lease. */
export const MOST_EXPORT_BYTES = 2 * 1024 ** 3
/** The maximum number of exports in progress for a user. */
export const MOST_UNDER_WAY = 2
/** The maximum number of exports that are kept for a user. */
export const MOST_EXPORTS = 10

/** Schedules that one user can have, for one format each. */
export const MOST_SCHEDULES = 5

export const EXPORT_FORMATS = [
  'csv',
  'csvExcel',
  'json',
  'ndjson',
  'qif',
  'ofx',
  'hledger',
  'ledger',
  'beancount',
] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The kinds of data of an export, in their order in the file. */
export const CONTENTS = [
  'accounts',
  'categories',
  'payees',
  'tags',
  'transactions',
  'exchangeRates',
  'valuations',
  'budgets',
] as const

export type ExportContent = (typeof CONTENTS)[number]

export const OPTIONS = ['locale', 'keepDigits', 'assertions'] as const

/** Fields of a scope that leave no transaction of an account out, up to a day. */
export const WHOLE_SCOPE = ['accountId', 'shared', 'what', 'to']

interface FormatFacts {
  contentType: string
  extension: string
  what: readonly ExportContent[]
  options: readonly (typeof OPTIONS)[number][]
  /** The data that the format cannot hold. */
  lossy: readonly string[]
}

/**
 * The data that the own formats contain, but an import does not restore: it books adjustments as expenses or incomes
 * and reconciled transactions as cleared, and leaves out void ones.
 */
const NOT_IMPORTED = [
  'adjustmentKinds',
  'reconciledStatus',
  'voidTransactions',
  'reviewed',
  'excludeFromReports',
]
const NOT_IN_TABLES = [
  ...['files', 'links', 'locations', 'private', 'sources', 'authors'],
  ...NOT_IMPORTED,
]
/** Lists do not tell the fees of transfers. The last ones are in the file, but no import reads them. */
const NOT_IN_OWN_FILES = [
  ...['files', 'links', 'fees', ...NOT_IMPORTED],
  ...['locations', 'private', 'sources', 'authors'],
  ...['exchangeRates', 'valuations', 'budgets'],
]
/** No program sums up what is cleared alone, and only beancount knows tolerances. */
const NOT_IN_ASSERTIONS = {
  beancount: ['clearedAssertions', 'reconciledAssertions'],
  journal: ['clearedAssertions', 'reconciledAssertions', 'tolerances'],
}
const NOT_IN_JOURNALS = [
  ...['files', 'links', 'locations', 'metadata', 'private', 'sources', 'authors', 'times'],
  ...['notes', 'reviewed', 'excludeFromReports', 'originalAmounts', 'partLabels'],
]
const NOT_IN_BANK_FILES = [
  ...['files', 'links', 'locations', 'metadata', 'private', 'sources', 'authors', 'times'],
  ...['originalAmounts', 'reviewed', 'excludeFromReports', 'voidTransactions'],
]

const TABLE = { extension: 'csv', contentType: 'text/csv', what: ['transactions'] } as const

const JOURNAL = {
  contentType: 'text/plain',
  what: ['transactions', 'exchangeRates'],
  options: ['assertions'],
  lossy: NOT_IN_JOURNALS,
} as const

export const FORMAT_FACTS: Record<ExportFormat, FormatFacts> = {
  csv: { ...TABLE, options: [], lossy: NOT_IN_TABLES },
  csvExcel: { ...TABLE, options: ['locale', 'keepDigits'], lossy: NOT_IN_TABLES },
  json: {
    contentType: 'application/json',
    extension: 'json',
    what: CONTENTS,
    options: [],
    lossy: NOT_IN_OWN_FILES,
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    extension: 'ndjson',
    what: CONTENTS,
    options: [],
    lossy: NOT_IN_OWN_FILES,
  },
  qif: {
    contentType: 'application/qif',
    extension: 'qif',
    what: ['transactions'],
    options: [],
    lossy: [
      ...[...NOT_IN_BANK_FILES, 'ids', 'pendingStatus', 'secondCurrencyOfTransfers'],
      // `M` has both, and a slash begins a class.
      ...['separateNotes', 'slashesInNames'],
    ],
  },
  ofx: {
    contentType: 'application/x-ofx',
    extension: 'ofx',
    what: ['transactions'],
    options: [],
    lossy: [...NOT_IN_BANK_FILES, 'categories', 'tags', 'parts', 'transfers', 'notes', 'status'],
  },
  hledger: { ...JOURNAL, extension: 'journal' },
  ledger: { ...JOURNAL, extension: 'ledger' },
  beancount: {
    ...{ ...JOURNAL, extension: 'beancount' },
    lossy: NOT_IN_JOURNALS.filter((lost) => lost !== 'links'),
  },
}

/** Returns the kinds of data that an export leaves out. */
export const lossyOf = (
  format: ExportFormat,
  {
    keepDigits,
    assertions,
  }: { keepDigits?: boolean | undefined; assertions?: boolean | undefined },
): string[] => [
  ...FORMAT_FACTS[format].lossy,
  // Cells that are formulas cannot be read back.
  ...(keepDigits ? ['plainIds'] : []),
  ...(FORMAT_FACTS[format].options.includes('assertions')
    ? assertions
      ? NOT_IN_ASSERTIONS[format === 'beancount' ? 'beancount' : 'journal']
      : ['balanceAssertions']
    : []),
]

/** The manifest of an export. */
export interface ExportManifest {
  /** True if something changed while it was read, three times over. */
  changedMeanwhile: boolean
  /** The number of rows by kind. */
  counts: Partial<Record<ExportContent, number>>
  /** True if it is an archive of several files. */
  isArchive: boolean
}
