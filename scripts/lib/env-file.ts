import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { inProject } from './project.ts'

/** The variables that the service and its scripts read; docs/configuration.md explains each. */
const KNOWN = [
  ...[
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'COFFER_DATA',
    'SMTP_URL',
    'MAIL_FROM',
    'REGISTRATION',
    'CORS_ORIGINS',
  ],
  ...['CLIENT_IP_HEADER', 'OUTBOUND_ALLOW', 'EXCHANGE_RATES_URL', 'PASSWORD_COST', 'READ_REPLICAS'],
  ...[
    'LOGIN_LIMIT_ACCOUNT',
    'LOGIN_LIMIT_CLIENT',
    'LOGIN_LIMIT_ACCOUNT_TOTAL',
    'USER_LIMIT_DATABASE_MS',
    'JWT_KEYS',
    'APP_SECRET',
    'ENCRYPTION_KEYS',
  ],
]

/**
 * Takes over the variables of the file `.env`, where there is one; what is set already stays. Warns of names that nothing
 * reads: a misspelt `REGISTRATION` would leave the service open to everybody.
 */
export function loadEnvFile(file: string = inProject('.env')): void {
  const variables = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  for (const [name, value] of Object.entries(variables)) {
    if (!KNOWN.includes(name)) {
      console.error(`Warning: nothing reads ${name}, which ${file} sets.`)
    }
    process.env[name] ??= value
  }
}
