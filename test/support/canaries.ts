import { faultOfCode } from './codes.ts'
import { env } from 'cloudflare:workers'
import { allOperations } from '../../src/http/registry.ts'

// The whole suite is one search for secrets: every answer, every line of the log and every row that a sweep, or a test of an area
// with secrets (search-database.ts), causes is looked through for what a secret of the service looks like, and for what the request itself
// brought. Only what REVEALS names may be shown, and only there. `setup.ts` fails the test that found one.

/** What the passwords of test users begin with: nothing but a request ever holds it. */
export const PASSWORD_MARK = 'a fine password'

/**
 * How to know a secret when one sees it. Tokens of 256 bits are told apart by their prefix; the end of an access
 * token's signature may look like one, behind a dash.
 */
const FORMS: Record<string, RegExp> = {
  'access token': /\beyJ[\w-]+\.[\w-]+\.[\w-]{86}(?![\w-])/g,
  token: /(?<![\w-])[a-z]{3}_(?:[\da-z]{26}_)?[\w-]{43}(?![\w-])/g,
  'invite code': /(?<![\w-])inc_[\w-]{27}(?![\w-])/g,
  'recovery code': /(?<![\w-])(?:[a-z2-7]{4}-){5}[a-z2-7]{4}(?![\w-])/g,
  'TOTP seed': /(?<![\w-])[A-Z2-7]{32}(?![\w-])/g,
  'webhook secret': /whsec_[A-Za-z0-9+/]{32}/g,
  'download link': /\/download\/[\w-]+\.[\w-]{43}(?![\w-])/g,
  password: new RegExp(`${PASSWORD_MARK} [\\da-f-]{36}`, 'g'),
}

/** What the database holds and nobody is shown: no answer and no line of the log. */
const STORED_FORMS: Record<string, RegExp> = {
  'password hash': /\$scrypt\$/g,
  'sealed record': /\bv1\.[\w-]{8}\.[\w-]{20,}/g,
}

const SHOWN_FORMS = Object.entries(FORMS)
const ALL_FORMS = [...SHOWN_FORMS, ...Object.entries(STORED_FORMS)]

/**
 * How long a run of letters, digits, dashes and underscores is at the end of each of these: no more and no less. Most texts
 * hold no such run, and are searched for no such form.
 */
const RUNS: Record<string, number[]> = {
  'access token': [86],
  token: [47, 74],
  'invite code': [31],
  'recovery code': [29],
  'TOTP seed': [32],
  'download link': [43],
}
/** The text without which there is none of these. */
const LITERALS: Record<string, string> = {
  password: PASSWORD_MARK,
  'webhook secret': 'whsec_',
  'password hash': '$scrypt$',
  'sealed record': 'v1.',
}

const SIGN_IN = ['access token', 'rft']

/** The one-time reveals: which operation may answer with which kind of secret. */
export const REVEALS: Record<string, readonly string[]> = {
  register: SIGN_IN,
  login: [...SIGN_IN, 'mft'],
  loginMfa: SIGN_IN,
  refreshToken: SIGN_IN,
  exchangeProviderCode: [...SIGN_IN, 'mft'],
  returnFromProvider: ['sic'],
  beginTotp: ['TOTP seed'],
  confirmTotp: ['recovery code'],
  renewRecoveryCodes: ['recovery code'],
  createAccessToken: ['pat'],
  resetUserPassword: ['pwr'],
  createGroupInvite: ['gic'],
  createInviteCode: ['invite code'],
  createInviteCodes: ['invite code'],
  createDownloadLink: ['download link'],
  createWebhook: ['webhook secret'],
  updateWebhook: ['webhook secret'],
}

/** What the mailer of a development build writes to the log: the mail itself, with the code that it brings. */
const IN_MAILS = ['emc', 'emv', 'gic', 'pwr']

/** Fields of requests that hold what must not come back. */
const SECRET_FIELDS = /^(\w*[pP]assword|clientSecret|\w*[tT]oken|inviteCode|code)$/
/** Those of them that stay secret after the request. */
const LASTING_FIELDS = /^(\w*[pP]assword|clientSecret)$/
/** Shorter ones, such as a wrong password of one letter, are parts of many words. */
const LEAST = 12

/** Addresses as `newUser` makes them: everybody is told the own one. */
const ADDRESSES = /user-\d+-[\da-f-]{36}@coffer\.test/g
/** What tells the addresses of others, beside all under `/admin`. */
const TELLING = [
  // Members to each other.
  ...['listOwnGroups', 'listGroupMembers', 'updateGroupMember', 'listGroupInvites'],
  // What one wrote oneself.
  ...['listShares', 'createShare', 'updateShare'],
  // Whoever signs in, whatever came with it.
  'loginMfa',
]

const addresses = new Map<string, string>()

/** Makes an address known as that of a user. */
export const knowAddress = (userId: string, address: string): unknown =>
  addresses.set(userId, address)

const leaks: string[] = []
const lasting = new Set<string>()

/** What was found since the last time. */
export const takeLeaks = (): string[] => leaks.splice(0)

/** Throws when something was. */
export function refuseLeaks(): void {
  const found = takeLeaks()
  if (found.length > 0) {
    throw new Error(`Found in what tests caused: ${found.join('; ')}`)
  }
}

let own: { of: unknown[]; secrets: string[] } | undefined

/** The keys of the service itself, which a test may change. */
function ownSecrets(): string[] {
  const of = [env.JWT_KEYS, env.ENCRYPTION_KEYS, env.APP_SECRET]
  if (!own || own.of.some((text, at) => text !== of[at])) {
    const { keys } = JSON.parse(env.JWT_KEYS) as { keys: { d: string }[] }
    const ring = JSON.parse(env.ENCRYPTION_KEYS) as { key: string }[]
    own = {
      of,
      secrets: [env.APP_SECRET, ...keys.map(({ d }) => d), ...ring.map(({ key }) => key)],
    }
  }
  return own.secrets
}

/** Letters, digits, `_` and `-`, by their codes. */
const IN_RUNS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** The lengths of all runs in a text that are at least so long; most characters are never looked at. */
function runsIn(text: string, least: number): Set<number> {
  const found = new Set<number>()
  for (let from = 0; from + least <= text.length;) {
    let at = from + least - 1
    while (at >= from && IN_RUNS[text.charCodeAt(at)] === 1) {
      at--
    }
    if (at >= from) {
      from = at + 1
      continue
    }
    let end = from + least
    while (IN_RUNS[text.charCodeAt(end)] === 1) {
      end++
    }
    found.add(end - from)
    from = end + 1
  }
  return found
}

const LEAST_RUN = Math.min(...Object.values(RUNS).flat())

/** The kinds of secrets that a text holds. */
export function secretsIn(text: string, forms: [string, RegExp][] = ALL_FORMS): string[] {
  const runs = runsIn(text, LEAST_RUN)
  const kinds = forms
    .filter(
      ([kind]) =>
        RUNS[kind]?.some((length) => runs.has(length)) ?? text.includes(LITERALS[kind] ?? ''),
    )
    .flatMap((form) => kindsBy(form, text))
  return [...new Set([...kinds, ...(holdsKey(text) ? ['key of the service'] : [])])]
}

/** The same by looking for every form everywhere. */
export const secretsByForm = (text: string): string[] => [
  ...new Set(ALL_FORMS.flatMap((form) => kindsBy(form, text))),
]

const kindsBy = ([kind, form]: [string, RegExp], text: string): string[] =>
  (text.match(form) ?? []).map((found) => (kind === 'token' ? found.slice(0, 3) : kind))

const holdsKey = (text: string) => ownSecrets().some((secret) => text.includes(secret))

function blame(where: string, kinds: string[], allowed: readonly string[] = []): void {
  const surplus = kinds.filter((kind) => !allowed.includes(kind))
  if (surplus.length > 0) {
    leaks.push(`${where} holds ${surplus.join(', ')}`)
  }
}

/** Lets a request through and looks at what comes back. */
export async function watched(
  request: Request,
  sent: unknown,
  respond: (request: Request) => Promise<Response>,
): Promise<Response> {
  const brought = new Set([...(typeof sent === 'string' ? broughtBy(sent) : []), ...lasting])
  const { method, url } = request
  const own = addressOf(request.headers)
  const response = await respond(request)
  const operation = operationOf(method, new URL(url).pathname)
  const body = new TextDecoder().decode(await response.clone().arrayBuffer())
  const text = `${body}\n${JSON.stringify([...response.headers])}`
  const where = `${operation} (${response.status})`
  const undeclared =
    body !== '' && isJson(response)
      ? faultOfCode(operation, response.status, JSON.parse(body))
      : undefined
  if (undeclared !== undefined) {
    leaks.push(undeclared)
  }
  blame(where, secretsIn(text), REVEALS[operation])
  blame(
    where,
    [...brought].filter((secret) => text.includes(secret)),
  )
  if (own !== undefined && !TELLING.includes(operation) && !/\/admin\//.test(url)) {
    const others = [...new Set(text.match(ADDRESSES))].filter((one) => one !== own)
    blame(
      where,
      others.filter((one) => typeof sent !== 'string' || !sent.includes(one)),
    )
  }
  return response
}

/** The address of whoever asks, but with a personal access token. */
function addressOf(headers: Headers): string | undefined {
  const [, payload] = (headers.get('Authorization') ?? '').split('.')
  if (payload === undefined) {
    return undefined
  }
  try {
    return addresses.get((JSON.parse(atob(payload)) as { sub: string }).sub)
  } catch {
    return undefined
  }
}

/** The secrets in the body of a request. */
function broughtBy(body: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(body, (key, value: unknown) => {
      if (typeof value === 'string' && value.length >= LEAST && SECRET_FIELDS.test(key)) {
        found.push(value)
        if (LASTING_FIELDS.test(key) && !value.startsWith(PASSWORD_MARK)) {
          lasting.add(value)
        }
      }
    })
  } catch {
    // Not JSON: the service will say so.
  }
  return found
}

const isJson = ({ status, headers }: Response) =>
  status >= 400 && headers.get('Content-Type') === 'application/json'

function operationOf(method: string, path: string): string {
  return operationsBy(method).find(({ pattern }) => pattern.test(path))?.id ?? `${method} ${path}`
}

interface Known {
  id: string
  /** Of its path. */
  pattern: RegExp
}

const byMethod = new Map<string, Known[]>()

function operationsBy(method: string): Known[] {
  const known = byMethod.get(method)
  const found =
    known ??
    allOperations()
      .filter((one) => one.method.toUpperCase() === method)
      // What has a literal is meant before what has a parameter there.
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
      .map(({ operationId, path }) => ({ id: operationId, pattern: patternOf(path) }))
  byMethod.set(method, found)
  return found
}

const patternOf = (template: string) =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Looks at a line of the log. */
export function watchLine(line: string): void {
  const isMail = line.startsWith('{"level":"info","event":"mail",')
  blame(`the log (${line.slice(0, 80)})`, secretsIn(line), isMail ? IN_MAILS : [])
  blame(
    'the log',
    [...lasting].filter((secret) => line.includes(secret)),
  )
}

let isWatched = false

const { log } = console
const lines: string[] = []

/**
 * From now on every line of the log is looked at, and kept for `tellLog`: the runner takes longer over a line
 * than the service. Not as a spy: tests restore those.
 */
export function watchLog(): void {
  if (!isWatched) {
    isWatched = true
    console.log = (...said: unknown[]) => {
      const line = said.map(String).join(' ')
      watchLine(line)
      lines.push(line)
    }
  }
}

/** Tells what was logged since the last time, where a test failed. */
export function tellLog(hasFailed: boolean): void {
  const last = lines.splice(0).slice(-100)
  if (hasFailed && last.length > 0) {
    log(last.join('\n'))
  }
}

/** The numbers of the last rows that were looked at, by table of the log. */
const lastNumbers = new Map<string, number>()

const LOG = ['log_commits', 'log_events', 'log_seals']

/** To be called for each file: its database is a new one, whose log begins anew, and holds no secret of the files before. */
export function expectNewLog(): void {
  lastNumbers.clear()
  lasting.clear()
}

/**
 * Looks at every row of every table that holds text; of the log, which only grows, at the new ones.
 * @param plant statements that run before, `dig` those that run after, all in one transaction
 */
export async function watchDatabase(plant: string[] = [], dig: string[] = []): Promise<void> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT IN ('account_balances', 'account_periods', 'flow_periods')",
  ).all<{ name: string }>()
  const statements = [
    ...plant,
    ...tables.map(({ name }) =>
      LOG.includes(name)
        ? `SELECT * FROM ${name} WHERE number > ${lastNumbers.get(name) ?? 0} ORDER BY number`
        : `SELECT * FROM ${name}`,
    ),
    ...dig,
  ]
  const results = await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
  tables.forEach(({ name }, at) => {
    const rows = results[plant.length + at]?.results ?? []
    const text = JSON.stringify(rows)
    blame(`the table ${name}`, secretsIn(text, SHOWN_FORMS))
    blame(
      `the table ${name}`,
      [...lasting].filter((secret) => text.includes(secret)),
    )
    const last = rows.at(-1) as { number: number } | undefined
    if (last && LOG.includes(name)) {
      lastNumbers.set(name, last.number)
    }
  })
  lasting.clear()
}
