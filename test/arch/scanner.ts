import { posix } from 'node:path'

/** Path from the project's root to text. */
export type Sources = Record<string, string>

interface Place {
  layer: string
  area?: string | undefined
}

/** What an area's files may be called, and what each may import of its own area. */
const OWN: Record<string, string[]> = {
  area: ['routes', 'jobs', 'readers', 'hooks'],
  contract: ['contract', 'usecases', 'queries', 'rules'],
  routes: ['contract', 'usecases', 'routes'],
  usecases: ['usecases', 'rules', 'errors', 'queries', 'events'],
  rules: ['rules', 'errors'],
  queries: ['queries', 'rules', 'errors', 'events'],
  events: ['queries', 'rules', 'events'],
  errors: [],
  jobs: ['usecases', 'rules', 'errors', 'queries', 'events'],
  readers: ['usecases', 'rules', 'queries', 'events'],
  data: ['contract', 'usecases', 'rules', 'queries', 'events'],
  hooks: ['rules', 'errors', 'queries'],
  public: ['contract', 'usecases', 'rules', 'errors', 'queries', 'events'],
}

/** Which layers each may import; of its own area `OWN`, of higher areas `public`, beside these. */
const LAYERS: Record<string, string[]> = {
  hosts: ['hosts', 'app', 'areas', 'env', 'platform', 'domain'],
  app: ['areas', 'http', 'platform', 'env', 'domain'],
  env: ['domain'],
  areas: ['areas', 'area', 'data', 'jobs', 'public', 'http', 'platform'],
  area: ['areas'],
  domain: ['domain'],
  platform: ['platform', 'domain', 'env', 'schema'],
  http: ['http', 'platform', 'domain', 'env'],
  schema: ['schema'],
  contract: ['http', 'platform', 'domain'],
  routes: ['http', 'platform', 'domain', 'env'],
  usecases: ['platform', 'domain', 'env'],
  rules: ['domain'],
  queries: ['platform', 'domain', 'schema'],
  errors: ['domain'],
  events: ['platform', 'domain', 'schema'],
  jobs: ['platform', 'domain', 'env'],
  readers: ['platform', 'domain'],
  data: ['http', 'platform', 'domain', 'schema'],
  hooks: ['platform', 'domain'],
  public: [],
}

const HONO = ['hono', '@hono']

/** Kinds of file that know the interface over HTTP: the ledger has none of them. */
const HTTP = ['contract', 'routes']

/** Packages by their first word; what is not listed imports none. */
const PACKAGES: Record<string, string[]> = {
  env: ['node:crypto'],
  hosts: [
    ...[
      '@hono/node-server',
      'croner',
      'nodemailer',
      'node:crypto',
      'node:dns',
      'node:events',
      'node:fs',
    ],
    ...[
      'node:http',
      'node:net',
      'node:path',
      'node:sqlite',
      'node:stream',
      'node:timers',
      'node:util',
    ],
  ],
  app: HONO,
  http: HONO,
  platform: ['drizzle-orm', 'hono/jwt', 'node:crypto', 'node:util', 'node:zlib', 'oauth4webapi'],
  schema: ['drizzle-orm'],
  areas: ['@hono'],
  contract: ['@hono'],
  routes: ['@hono'],
  queries: ['drizzle-orm'],
  data: ['drizzle-orm'],
}

/** What goes through the tables of all areas by their `x.data.ts`, and knows none of them. */
export const ENGINES = [
  'src/areas/money/trash/',
  'src/areas/data-rights/own-user/erasure/',
  'src/areas/data-rights/backups/making/',
  'src/areas/files/attachments/sweeping/',
]

/** Words that only some files may write. */
const WORDS: { word: RegExp; what: string; where: RegExp }[] = [
  { word: /\.(prepare|batch)\(/, what: 'talks to D1', where: /^src\/(platform|hosts)\// },
  {
    word: /\bctx\.files\b|\bfiles\b[^;\n]*\} = ctx\b|\.FILES\b/,
    what: 'talks to the bucket',
    where:
      /^src\/(hosts\/\w+\/\w+|platform\/files\/bucket|platform\/system-context|http\/gate)\.ts$/,
  },
  {
    word: /(?<![.\w])fetch\(/,
    what: 'calls out',
    where: /^src\/platform\/outbound\/outbound\.ts$/,
  },
  {
    word: /\b(INSERT|UPDATE|CONFLICT)\s+(OR\s+)?REPLACE\b|\bREPLACE\s+INTO\b/i,
    what: 'replaces rows',
    where: /^(?!)/,
  },
  {
    word: /\bnew Date\(|\bDate\.now\(/,
    what: 'makes a date',
    where:
      /^src\/(domain\/calendar|hosts\/node\/clock|platform\/(work\/tasks|context|outbound\/mail-templates|files\/zip))\.ts$/,
  },
  { word: /\bMath\.random\(/, what: 'draws lots', where: /^(?!)/ },
  {
    word: /\b(newApp|appOf)\(/,
    what: 'makes an app',
    where: /^src\/(app|http\/route|areas\/area)\.ts$/,
  },
]

/**
 * The small exceptions: versions and health need no use case; what was shipped is told by files of the build; an
 * export of the log is written by a task, as whoever asked for it would be shown what is in it.
 */
const EXCEPTIONS = new Set([
  'src/areas/operations/service/service.routes.ts -> package.json',
  'src/http/front-page.ts -> package.json',
  'src/hosts/node/data-backup.ts -> package.json',
  'src/hosts/node/data-restore.ts -> package.json',
  'src/areas/operations/service/service.routes.ts -> src/areas/operations/service/service.queries.ts',
  'src/areas/insight/audit-log/exports/making.usecases.ts -> src/areas/insight/audit-log/audit-log.contract.ts',
  'src/areas/operations/metrics/metrics.usecases.ts -> migrations/meta/_journal.json',
])

/** Every breach of the house's rules, as one line each. */
export function violationsIn(sources: Sources): string[] {
  const ranks = ranksOf(sources)
  return Object.entries(sources).flatMap(([path, text]) => [
    ...sizeOf(path, text),
    ...silenced(path, text),
    ...(/^(src|drizzle\/schema)\//.test(path) ? wordsIn(path, text) : []),
    ...(/^(src|drizzle\/schema)\//.test(path) ? importsOf(path, text, ranks) : []),
  ])
}

function sizeOf(path: string, text: string): string[] {
  const cap = path.startsWith('test/') ? 500 : 350
  const lines = text.split('\n').length - 1
  return lines > cap ? [`${path} has ${lines} lines, ${cap} at most`] : []
}

function silenced(path: string, text: string): string[] {
  const lines = text.split('\n').filter((line) => /\/[/*] *(ox|es)lint-disable/.test(line))
  return lines
    .filter((line) => !/ -- \w+/.test(line))
    .map(() => `${path} disables a rule without a reason`)
}

function wordsIn(path: string, text: string): string[] {
  const code = withoutComments(text)
  return WORDS.filter(({ word, where }) => word.test(code) && !where.test(path)).map(
    ({ what }) => `${path} ${what}`,
  )
}

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '')

function importsOf(path: string, text: string, ranks: Map<string, number>): string[] {
  const from = placeOf(path)
  if (!(from.layer in LAYERS)) {
    return [`${path} is a kind of file that nobody knows`]
  }
  return [...withoutComments(text).matchAll(IMPORT)].flatMap(([statement, specifier = '']) => {
    const target = specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier)
      : specifier
    const isRowType = from.layer === 'routes' && /^\s*import type\b/.test(statement)
    const isExcepted =
      EXCEPTIONS.has(`${path} -> ${target}`) || (isRowType && isOwnQueries(from, target))
    const reason = isExcepted ? undefined : whyNot(path, target, specifier.startsWith('.'), ranks)
    return reason === undefined ? [] : [`${path} imports ${target}: ${reason}`]
  })
}

/** A handler may name the type of the rows that it passes on. */
function isOwnQueries(from: Place, target: string): boolean {
  const to = placeOf(target)
  return to.area === from.area && to.layer === 'queries'
}

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT =
  /(?:^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*|\bimport\s*\(?\s*)['"]([\w@./:-]+)['"]/gm

function whyNot(
  path: string,
  target: string,
  isLocal: boolean,
  ranks: Map<string, number>,
): string | undefined {
  const from = placeOf(path)
  if (!isLocal) {
    const isKnown = (PACKAGES[from.layer] ?? []).some(
      (name) => target === name || target.startsWith(`${name}/`),
    )
    return isKnown ? undefined : `${from.layer} knows no such package`
  }
  if (/^src\/.*\.json$/.test(target)) {
    return target.startsWith(`${posix.dirname(path)}/`)
      ? undefined
      : 'data is read by the code beside it'
  }
  const to = placeOf(target)
  if (from.layer === 'platform' && to.layer === 'schema' && !target.endsWith('/system.ts')) {
    return "platform knows the system's tables only"
  }
  if (to.area === undefined || from.layer === 'areas') {
    return LAYERS[from.layer]?.includes(to.layer) ? undefined : `not from ${from.layer}`
  }
  if (to.area === from.area) {
    const own = OWN[from.layer] ?? []
    return own.includes(to.layer)
      ? undefined
      : `not from ${from.layer}, which may import of its own area: ${own.join(', ') || 'nothing'}`
  }
  if (from.layer === 'hosts' && to.layer === 'public') {
    return undefined
  }
  if (from.area === undefined || to.layer !== 'public') {
    return 'only the public face of another area'
  }
  if (ENGINES.some((folder) => path.startsWith(folder))) {
    return 'an engine knows no area'
  }
  if (from.area === LEDGER) {
    return to.area === ACCESS ? undefined : 'the ledger imports no area'
  }
  if (to.area === LEDGER) {
    return from.area === ACCESS ? 'the ledger imports it' : undefined
  }
  const [own, other] = [ranks.get(from.area), ranks.get(to.area)]
  if (own === undefined) {
    return `list the area ${from.area} in the index.ts of its district`
  }
  return other !== undefined && other < own ? undefined : 'only areas that rank higher'
}

/**
 * The kernel beside the areas, with the same kinds of file. It knows one area, which says who sees what: that imports none.
 */
const LEDGER = 'ledger'
const ACCESS = 'identity/access'

function placeOf(path: string): Place {
  const kernel = /^src\/ledger\/(?:[\w-]+\/)?[\w-]+\.(\w+)\.ts$/.exec(path)
  if (kernel) {
    const layer = kernel[1] ?? ''
    return HTTP.includes(layer) ? { layer: path } : { area: LEDGER, layer }
  }
  const area = /^src\/areas\/([\w-]+\/[\w-]+)\/(?:[\w-]+\/)?[\w-]+\.(\w+)\.ts$/.exec(path)
  if (area) {
    return { area: area[1], layer: area[2] ?? '' }
  }
  const layer =
    /^src\/(areas)\/(?:area|index|owned-data|[\w-]+\/index)\.ts$/.exec(path)?.[1] ??
    /^src\/(app|env)\.ts$/.exec(path)?.[1] ??
    /^src\/(domain|hosts|platform|http)\//.exec(path)?.[1] ??
    (/^drizzle\/(schema\/|columns\.ts)/.test(path) ? 'schema' : path)
  return { layer }
}

/** The place of each area: districts in the order of areas/index.ts, and in each the areas in the order of its list. */
function ranksOf(sources: Sources): Map<string, number> {
  const ranked = foldersIn(sources['src/areas/index.ts']).flatMap((district) =>
    foldersIn(sources[`src/areas/${district}/index.ts`]).map((area) => `${district}/${area}`),
  )
  return new Map(ranked.map((area, at) => [area, at]))
}

/** The folders of what is imported, in the order of the exported list. */
function foldersIn(index = ''): string[] {
  const folderOf = new Map(
    [...index.matchAll(/import \{ (\w+) \} from '\.\/([\w-]+)\//g)].map(([, name, folder]) => [
      name,
      folder,
    ]),
  )
  const list = /^export const \w+(?:: Area\[\])? = \[([\s\S]*?)\]$/m.exec(index)?.[1] ?? ''
  return [...list.matchAll(/\w+/g)].flatMap(([word]) => folderOf.get(word) ?? [])
}
