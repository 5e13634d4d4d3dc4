import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testBindings } from './test/support/bindings.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { folderInMemory } from './test/support/memory.ts'
import { migratedAsSql } from './scripts/lib/database-as-sql.ts'
import { isProof } from './test/support/rounds.ts'

/** Not one less than there are processors, as is the default: of two that would leave one idle. */
const WORKERS = Math.max(2, availableParallelism())

/** All that this run stores for a while. Workers are ended without a chance to remove what is theirs. */
const OF_RUN = 'COFFER_TEST_FOLDER'
if (process.env[OF_RUN] === undefined) {
  // At length, tests keep more than memory may hold.
  const parent = process.env['TMPDIR'] ?? (isProof ? undefined : folderInMemory()) ?? tmpdir()
  const folder = mkdtempSync(join(parent, 'coffer-tests-'))
  process.env[OF_RUN] = folder
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

const DEV_BUILD = { __DEV_BUILD__: 'true' }

const COMMON = {
  // Files share modules. The tests of a file share its database: every test makes its own users.
  isolate: false,
  // Limits are for what hangs, never for what is slow: a busy machine fails no test.
  testTimeout: isProof ? 3_600_000 : 1_200_000,
  hookTimeout: 1_200_000,
}

/** What an area's queries read: only D1 counts rows. */
const COST = 'test/{areas,platform}/**/cost.test.ts'
const PROTOCOL = 'test/http/protocol.test.ts'
/** What replicas of the database see: there are none in workerd. */
const REPLICAS = 'test/{http,sweeps}/replicas.test.ts'
/** What listens on loopback, which workerd does not let it. */
const LISTENING = 'test/areas/webhooks/*.test.ts'
const inSupport = (file: string) => `${import.meta.dirname}/test/support/${file}`

/** Most of what a request makes is garbage after it: a large young generation copies less of it, and collects less often. */
const MEMORY = ['--min-semi-space-size=32', '--max-semi-space-size=32']

/**
 * Lets Node load the service and the tests itself, which is quicker than to transform 2,000 files for each project.
 * @param inPlaceOf files by the modules whose place they take
 */
const asNodeLoads = (inPlaceOf: Record<string, string> = {}, env: Record<string, string> = {}) => ({
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: [...MEMORY, '--disable-warning=ExperimentalWarning'],
  env: { COFFER_TEST_MODULES: JSON.stringify(inPlaceOf), ...env },
})

/** Says where chance begins, in every project. */
const CHANCE = './test/support/chance.ts'

/** The set-up of each project that Node loads itself. */
const ON_NODE = ['./test/support/load-modules.ts', CHANCE]

/** The set-up of tests of the service within their own process; the last one watches what a test leaves in the database. */
const inProcess = (database: string) => [
  `./test/support/${database}.ts`,
  ...['./test/support/setup.ts', './test/support/search-database.ts'],
]

/** Tests inside workerd. */
async function inWorkerd(name: string, include: string[], exclude: string[]) {
  // Brings the whole runtime, which no other run needs.
  const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-pool-workers')
  return {
    define: DEV_BUILD,
    plugins: [
      cloudflareTest({
        wrangler: { configPath: './wrangler.toml', environment: 'dev' },
        miniflare: {
          bindings: {
            ...(await testBindings()),
            TEST_MIGRATIONS: await readD1Migrations('./migrations'),
            TEST_DATABASE: await migratedAsSql(),
          },
          d1Databases: ['SCRATCH'],
        },
      }),
    ],
    test: {
      name,
      include,
      exclude,
      setupFiles: [CHANCE, ...inProcess('database-in-workerd')],
      // With it, every file that loads one more module gets all of them once more, about 27 MB.
      fsModuleCache: false,
      ...COMMON,
    },
  }
}

const AREAS = ['test/{areas,platform,http,sweeps}/**/*.test.ts']

/** What asks a release as it runs for what only workerd has: its runtime's memory and kills, wrangler, and moves to it. */
const OF_WORKERD = [
  'test/system/{admin-invite,dev-worker,files,kills,moved-backups,outbound}.test.ts',
]
/** What asks a release without naming its host, and may be answered otherwise on another one. */
const OF_BOTH = ['test/system/{broken-bodies,exchange-rates,oidc,operations,release}.test.ts']
/** What asks a release for what is the same on each host, as sums and tasks that go on after a kill: whoever proves asks both. */
const OF_EITHER = [
  'test/system/{bank-files,fuzz,killed-imports,killed-restores,money,secrets}.test.ts',
]

/** The one test of a release that `npm test` has. */
const SMOKE = 'test/system/smoke.test.ts'

/** Tests of a release as it runs, over HTTP. */
const onRelease = (
  host: 'node' | 'workerd',
  { include, exclude = [] }: { include: string[]; exclude?: string[] },
  globalSetup = ['./test/support/build-release.ts', './test/support/demo-folder.ts'],
) => ({
  test: {
    name: 'system',
    include,
    exclude,
    setupFiles: ON_NODE,
    ...asNodeLoads(
      {
        'cloudflare:workers': inSupport('over-http.ts'),
        './in-process.ts': inSupport('over-http.ts'),
        './sign-up.ts': inSupport('registration.ts'),
      },
      { COFFER_HOST: host },
    ),
    globalSetup,
    ...COMMON,
  },
})

/**
 * In workerd run the tests of what a host decides: its database, bucket, queue, mail and clock, streams of bodies and files, tasks
 * and their leases, keys and signatures, and what may meet a limit of D1. One sweep sends each operation, and another each task,
 * what it takes. The rest is the same code over the same SQL: plain Node tells as much of it, within the limits of D1.
 */
const OF_HOST = Object.entries({
  'areas/attachments': 'archived-files downloads sweeping upload',
  'areas/audit-log': 'chain exports segments',
  'areas/auth': 'forged-tokens keys mfa password refresh-races',
  'areas/backups': 'damaged-archives making restoring uploads verifying',
  'areas/identity-providers': 'checks sign-in',
  'areas/imports': 'archives cancelling exactly-once hostile large.long',
  'areas/jobs': 'jobs',
  'areas/metrics': 'health',
  'areas/own-user': 'avatar erasure',
  'areas/reconciliations': 'races',
  'areas/transactions': 'bulk-create bulk-delete races',
  http: 'body files long-requests protocol',
  platform:
    'bucket clock-sweeps database each-row idempotency key-ring listeners log mail outbound pauses random readers reseal settings task-leases task-turns tasks turns unzip',
  sweeps: 'operations plans',
}).flatMap(([folder, names]) =>
  names.split(' ').map((name) => existing(`test/${folder}/${name}.test.ts`)),
)

/** A file that has another name by now would no longer run in workerd, and nobody would know. */
function existing(file: string): string {
  if (!existsSync(file)) {
    throw new Error(`vitest.config.ts names ${file}, which is not there`)
  }
  return file
}

/** Whoever names files, or proves, runs them all. */
const isAll = isProof || process.argv.some((word) => word.startsWith('test/'))

const inWorkerdAlone = async () => [
  await inWorkerd(
    'areas',
    [...(isAll ? AREAS : [...OF_HOST, COST]), 'test/volume/**/*.test.ts'],
    [REPLICAS, LISTENING],
  ),
  onRelease('workerd', { include: [...OF_WORKERD, ...OF_BOTH, ...(isAll ? OF_EITHER : [])] }),
]

const OF_DOMAIN = {
  name: 'domain',
  include: ['test/domain/**/*.test.ts'],
  setupFiles: [CHANCE],
  ...COMMON,
}

/** Transformed by Vitest: what Node loads itself can't be counted. */
const counted = () => [{ define: DEV_BUILD, test: OF_DOMAIN }]

/**
 * What `npm run test:system` runs and `npm test` does not: processes, kills, releases, and every file that ends in `.long.test.ts`,
 * which takes many rows or the rest of many cases, of which its neighbour without `.long` has the core.
 */
const LONG = '**/*.long.test.ts'
const LONG_OF_ARCH = ['test/arch/new-area.test.ts', 'test/arch/**/*.long.test.ts']
const LONG_ON_NODE = [
  'test/{hosts,kills,statements}/**/*.test.ts',
  'test/{areas,platform,http,sweeps}/**/*.long.test.ts',
]

const rulesOf = (include: string[], exclude: string[] = []) => ({
  test: { name: 'arch', include, exclude, setupFiles: ON_NODE, ...asNodeLoads(), ...COMMON },
})

const onNode = (include: string[], exclude: string[] = []) => ({
  test: {
    name: 'node',
    include,
    exclude: [COST, PROTOCOL, ...exclude],
    globalSetup: ['./test/support/demo-folder.ts'],
    setupFiles: [...ON_NODE, ...inProcess('database-on-node')],
    ...asNodeLoads({
      'cloudflare:workers': inSupport('node-host.ts'),
      'cloudflare:test': inSupport('node-host.ts'),
    }),
    ...COMMON,
  },
})

const onReleases = () =>
  onRelease('node', { include: ['test/system/**/*.test.ts'], exclude: OF_WORKERD })

const domain = (chosen: { include?: string[]; exclude?: string[] } = {}) => ({
  test: { ...OF_DOMAIN, ...chosen, setupFiles: ON_NODE, ...asNodeLoads() },
})

/** `npm test`: on plain Node, all that is quick. As few projects as can be: each loads the service once more. */
const quick = () => [
  domain({ exclude: [LONG] }),
  rulesOf(['test/arch/**/*.test.ts'], LONG_OF_ARCH),
  onNode(AREAS, [LONG]),
  onRelease('node', { include: [SMOKE] }, ['./test/support/build-node.ts']),
]

/** `npm run test:system`: on plain Node, all that takes long. */
const system = () => [
  domain({ include: ['test/domain/**/*.long.test.ts'] }),
  rulesOf(LONG_OF_ARCH),
  onNode(LONG_ON_NODE),
  onReleases(),
]

/** Plain Node: all but what only workerd can tell. */
const inNode = () => [
  domain(),
  rulesOf(['test/arch/**/*.test.ts']),
  onNode([...AREAS, ...LONG_ON_NODE]),
  onReleases(),
]

/** What runs in a `--mode`. */
const PROJECTS: Record<string, () => object[] | Promise<object[]>> = {
  system,
  /** In workerd, what otherwise runs on plain Node. */
  workerd: inWorkerdAlone,
  /** `npm run coverage` */
  coverage: counted,
}

export default defineConfig(async ({ mode }) => ({
  test: {
    silent: 'passed-only' as const,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: 'istanbul' as const,
      // Data has no lines to count.
      include: ['src/domain/**/*.ts'],
      reporter: 'json-summary' as const,
      thresholds: { branches: 100, lines: 100 },
    },
    projects: await (PROJECTS[mode] ?? (isAll ? inNode : quick))(),
  },
}))
