import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { freshSecrets } from './src/hosts/node/secrets.ts'

/** Tests inside workerd, on a database of the project's own that its files share. */
async function inWorkerd(name: string, folders: string, setUp: string[] = []) {
  const bindings = {
    ...(await freshSecrets()),
    PASSWORD_COST: '1',
    LOGIN_LIMIT_CLIENT: '1000000',
    // Nowhere that may be called: who asks for rates leaves the machine alone.
    EXCHANGE_RATES_URL: 'https://rates.test/eurofxref-daily.xml',
    TEST_WHOLE: process.env['COFFER_WHOLE'] ?? '',
    TEST_MIGRATIONS: await readD1Migrations('./migrations'),
  }
  return {
    define: { __DEV_BUILD__: 'true' },
    plugins: [
      cloudflareTest({
        wrangler: { configPath: './wrangler.toml', environment: 'dev' },
        miniflare: { bindings, d1Databases: ['SCRATCH'] },
      }),
    ],
    test: {
      name,
      include: [`test/${folders}/**/*.test.ts`],
      setupFiles: ['./test/support/setup.ts', ...setUp],
      testTimeout: 20_000,
    },
  }
}

const inSupport = (file: string) => `${import.meta.dirname}/test/support/${file}`

export default defineConfig(async () => ({
  test: {
    silent: 'passed-only' as const,
    coverage: {
      provider: 'istanbul' as const,
      include: ['src/domain/**'],
      thresholds: { branches: 100, lines: 100 },
    },
    projects: [
      {
        define: { __DEV_BUILD__: 'true' },
        test: {
          name: 'node',
          include: ['test/{domain,arch,hosts}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        define: { __DEV_BUILD__: 'true' },
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          alias: {
            'cloudflare:workers': inSupport('over-http.ts'),
            './in-process.ts': inSupport('over-http.ts'),
          },
          globalSetup: ['./test/support/build-release.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        define: { __DEV_BUILD__: 'true' },
        test: {
          name: 'areas',
          include: ['test/{areas,platform,http}/**/*.test.ts'],
          setupFiles: ['./test/support/setup.ts', './test/support/search-database.ts'],
          alias: {
            'cloudflare:workers': inSupport('node-host.ts'),
            'cloudflare:test': inSupport('node-host.ts'),
          },
          testTimeout: 120_000,
        },
      },
      await inWorkerd('workers', '{areas,platform,http,sweeps}', [
        './test/support/search-database.ts',
      ]),
      // Apart, as a hundred thousand rows would slow down whoever shares their database.
      await inWorkerd('volume', 'volume'),
    ],
  },
}))
