import { expect, it } from 'vitest'
import { readSources } from './sources.ts'
import type { Sources } from './scanner.ts'

// Only the journal writes what is booked, and only its `post` makes changes of that: so no hook is left out.

const TABLES = [
  'transactions',
  'entries',
  'unbooked_entries',
  'transaction_tags',
  'transaction_payees',
].join('|')

/** A statement that writes one of these tables, or one that is put in its place. */
const WRITES = new RegExp(
  `\\b(?:INTO|UPDATE(?:\\s+OR\\s+\\w+)?|DELETE\\s+FROM)\\s+(?:(?:${TABLES})\\b|\\$\\{)|db\\s*\\.(?:insert|update|delete)\\(\\s*transactions\\b|\\bDELETE \\$\\{|\\binserterInto\\b`,
)

const DECLARED = /^(?:export )?(?:async )?(?:const|function\*?) (\w+)/gm
const IMPORTED = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm

/** The top-level declarations of a file, each with its text. */
function declarationsOf(text: string): { name: string; body: string }[] {
  const found = [...text.matchAll(DECLARED)]
  return found.map(({ 1: name = '', index }, at) => ({
    name,
    body: text.slice(index, found[at + 1]?.index),
  }))
}

const mentions = (body: string, names: Iterable<string>) =>
  [...names].some((name) => new RegExp(`\\b${name}\\b`).test(body))

/** The names in the ledger of what makes statements that write money or labels, however many functions lie between. */
function writersIn(sources: Sources): Set<string> {
  const all = Object.entries(sources)
    .filter(([file]) => /^src\/ledger\/.*\.queries\.ts$/.test(file))
    .flatMap(([, text]) => declarationsOf(text))
  const writers = new Set(all.filter(({ body }) => WRITES.test(body)).map(({ name }) => name))
  for (let known = 0; known < writers.size;) {
    known = writers.size
    for (const { name, body } of all) {
      if (mentions(body, writers)) {
        writers.add(name)
      }
    }
  }
  return writers
}

/** Who may use them beside the journal, and why. */
const ELSEWHERE: Record<string, string> = {
  'src/ledger/integrity/recalculation.usecases.ts uses rebuild':
    'projections, made anew from the entries; its SQL names the table by a value',
  'src/ledger/ledger.data.ts uses eraseOwned':
    'what goes with its owner or is wiped goes whatever is locked',
  'src/ledger/ledger.public.ts uses eraseTransactionsOf':
    'openings that go with their accounts, with their owner',
  'src/ledger/ledger.public.ts uses moveRecurringLinks':
    'no line and no word changes: the links go with the recurring item that goes on',
  'src/areas/planning/recurring/updating.usecases.ts uses moveRecurringLinks':
    'as said of the ledger',
  'src/ledger/ledger.public.ts uses releaseRecurring':
    'rows that became part of another transaction: what changes is amended on that one',
  'src/areas/planning/recurring/linking/linking.usecases.ts uses releaseRecurring':
    'as said of the ledger',
  'src/areas/money/accounts/accounts.data.ts uses eraseTransactionsOf':
    'openings that go with their accounts, with their owner',
}

/** `file uses name` for each file that writes without the journal, or takes a posting apart. */
function besideTheJournal(sources: Sources): string[] {
  const writers = writersIn(sources)
  return Object.entries(sources)
    .filter(([file]) => file.startsWith('src/') && !/^src\/(?:domain|ledger\/journal)\//.test(file))
    .flatMap(([file, text]) => {
      const isQueries = /^src\/ledger\/.*\.queries\.ts$/.test(file)
      const imported = [...text.matchAll(IMPORTED), ...text.matchAll(REEXPORTED)].flatMap(
        ([, names = '', from = '']) =>
          /ledger|^\.\.?\//.test(from)
            ? names.split(',').map((name) => name.trim().replace(/ as .*/, ''))
            : [],
      )
      return [
        ...(isQueries
          ? []
          : imported.filter((name) => writers.has(name)).map((name) => `${file} uses ${name}`)),
        ...(file.startsWith('src/ledger/') && !isQueries && WRITES.test(text)
          ? [`${file} has a statement of its own`]
          : []),
        ...(/\.written\b|\bwritten\b.*\} = /.test(text) ? [`${file} takes a posting apart`] : []),
      ]
    })
}

const REEXPORTED = /^export \{([^}]*)\} from '([^']+)'/gm

it('is used by nobody else but for erasures', () => {
  const writers = writersIn(readSources())
  expect([...writers]).toEqual(
    expect.arrayContaining([
      ...['insertTransactions', 'replaceTransactions', 'updateLabels', 'replaceCategory'],
      ...['clearCategory', 'insertTagOn', 'updatePayeeOn', 'updateCategoryOn', 'removeTransaction'],
      ...['trashTransactions', 'restoreTransactions', 'eraseTransactions', 'matchTransactions'],
    ]),
  )
  expect(besideTheJournal(readSources()).toSorted()).toEqual(Object.keys(ELSEWHERE).toSorted())
})

it.each<[string, string, string, string]>([
  [
    'a use case of the ledger that writes labels',
    'src/ledger/labels/a.usecases.ts',
    `import { updateLabels } from './labels.queries.ts'`,
    'uses updateLabels',
  ],
  [
    'a face that hands out what writes',
    'src/ledger/labels/labels.public.ts',
    `export {\n  replaceCategory,\n} from './reassignment.queries.ts'`,
    'uses replaceCategory',
  ],
  [
    'a declaration of data with a statement that writes',
    'src/ledger/a.data.ts',
    'db.run(sql`UPDATE entries SET note = NULL`)',
    'has a statement of its own',
  ],
  [
    'an area that writes what is booked',
    'src/areas/money/tags/a.usecases.ts',
    `import { insertTransactions } from '../../../ledger/ledger.public.ts'`,
    'uses insertTransactions',
  ],
  [
    'an area that takes the statements of a posting',
    'src/areas/money/tags/a.usecases.ts',
    'const statements = book([whole]).written',
    'takes a posting apart',
  ],
])('would not go unseen: %s', (_, path, text, flaw) => {
  const sources = readSources()
  expect(besideTheJournal({ ...sources, [path]: text })).toContain(`${path} ${flaw}`)
})
