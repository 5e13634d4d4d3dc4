import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { testSecrets } from './test/support/secrets.ts'

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
        test: {
          name: 'node',
          include: ['test/{domain,arch,system}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        define: { __DEV_BUILD__: 'true' },
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml', environment: 'dev' },
            miniflare: {
              bindings: {
                ...(await testSecrets()),
                PASSWORD_COST: '1',
                LOGIN_LIMIT_CLIENT: '1000000',
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          include: ['test/{areas,platform,http,sweeps}/**/*.test.ts'],
          setupFiles: ['./test/support/setup.ts'],
          testTimeout: 20_000,
        },
      },
    ],
  },
}))
