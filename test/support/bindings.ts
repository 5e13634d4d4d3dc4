import { freshSecrets } from '../../src/hosts/node/secrets.ts'

/** What a run of the tests may be told; see CONTRIBUTING.md. */
const VARIABLES = ['COFFER_ONLY', 'COFFER_SEED', 'COFFER_PROVE']

/** What the service is told in tests, whichever host it runs on. */
export const testBindings = async (): Promise<Record<string, string>> => ({
  ...(await freshSecrets()),
  PASSWORD_COST: '1',
  LOGIN_LIMIT_CLIENT: '1000000',
  // Some tests do in a minute what nobody does by hand.
  USER_LIMIT_DATABASE_MS: '1000000',
  // Nowhere that may be called: who asks for rates leaves the machine alone.
  EXCHANGE_RATES_URL: 'https://rates.test/eurofxref-daily.xml',
  // For tests in workerd, which sees no other environment than its bindings.
  ...Object.fromEntries(VARIABLES.map((name) => [name, process.env[name] ?? ''])),
})
