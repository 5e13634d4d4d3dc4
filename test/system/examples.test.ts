import { afterAll, beforeAll, describe as group, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { isAdminOnly, type Permission } from '../../src/domain/permissions.ts'
import {
  BODY_EXAMPLES,
  NOTHING_TO_NAME,
  PATH_EXAMPLES,
} from '../../src/http/description/examples.ts'
import { TEXTS } from '../../src/http/description/texts.ts'
import { describe, describeForSwaggerUi } from '../../src/http/openapi.ts'
import { type Demo, type Located, loadDemo, prefilled } from '../support/demo.ts'
import { isProof, SEED } from '../support/rounds.ts'

// What Swagger UI fills in, sent to the demo data as it is: each change to a copy of its own.

/**
 * What cannot succeed: a secret that nobody can know in advance, or a state that the demo data is not in, as it would be in
 * the way of the other operations.
 */
const REFUSED: Record<string, string> = {
  refreshToken: 'auth.invalidRefreshToken',
  loginMfa: 'auth.invalidMfaToken',
  resetPassword: 'auth.invalidToken',
  verifyEmail: 'auth.invalidToken',
  linkIdentity: 'auth.unusableCode',
  exchangeProviderCode: 'auth.invalidCode',
  acceptGroupInvite: 'groups.invalidInvite',
  declineGroupInvite: 'groups.invalidInvite',
  // Either fileName or attachmentId is needed, so neither is filled in.
  createImport: 'request.invalid',
  confirmTotp: 'auth.mfaNotBegun',
  renewRecoveryCodes: 'auth.mfaOff',
  disableTotp: 'auth.mfaOff',
  resetUserMfa: 'users.mfaOff',
  restoreUser: 'users.notDeleted',
  restoreOwnUser: 'user.deletionNotScheduled',
  unmatchSplit: 'transactions.partNotMatchable',
  getWipe: 'user.wipeNotScheduled',
  getPeriodLock: 'locks.notFound',
  getBalanceAssertion: 'assertions.notFound',
  // The demo data moves on with the days, and so do its statements.
  getCardStatement: 'cards.statementNotFound',
  getReconciliation: 'reconciliations.notFound',
  listReconciliationRows: 'reconciliations.notFound',
  suggestForReconciliation: 'reconciliations.notFound',
  updateReconciliation: 'reconciliations.notFound',
  finishReconciliation: 'reconciliations.notFound',
  undoReconciliation: 'reconciliations.notFound',
  restoreBackup: 'backups.notEmpty',
  verifyBackup: 'backups.brokenArchive',
  refreshSystemRates: 'exchangeRates.noSource',
}

/** How many changes are tried in `npm test`. */
const FEW = 10

const app = createApp()
const document = describe(app)
const located: Located[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)
const reads = located.filter(({ method }) => method === 'get')
/** A DELETE without a body has nothing to get right but its id. */
const changes = located.filter(
  ({ method, operation }) => !['get', 'delete'].includes(method) || operation.requestBody,
)

let demo: Demo

beforeAll(async () => {
  demo = await loadDemo()
})

afterAll(() => demo?.remove())

/** Whoever may do it: the first member of the household, or its administrator. */
function tokenFor(access: string | undefined): string {
  const isForAdmins = isAdminOnly(access as Permission)
  return demo.tokens[isForAdmins ? 'admin@coffer.example' : 'one@coffer.example'] ?? ''
}

const STATEMENT = 'Date,Payee,Amount\n2026-03-10,COFFEE,-3.00\n'

/** What is uploaded, where another file is wanted than a document. */
const FILES: Record<string, string> = {
  setAvatar: 'RIFF____WEBPVP8 ',
  createImport: STATEMENT,
  detectImportFile: STATEMENT,
  replaceImportFile: STATEMENT,
}

async function faultOf(one: Located): Promise<string[]> {
  const { operationId, 'x-access': access } = one.operation
  const request = prefilled(document, one, FILES[operationId] ?? '%PDF-1.7\n')
  if (!request) {
    return NOTHING_TO_NAME.includes(operationId) ? [] : [`${operationId} has no example`]
  }
  if (access !== 'public') {
    request.headers.set('Authorization', `Bearer ${tokenFor(access)}`)
  }
  const response = await demo.ask(request)
  const { code } = response.status < 400 ? {} : await response.json<{ code?: string }>()
  return code === REFUSED[operationId] ? [] : [`${operationId}: ${response.status} ${code}`]
}

async function faultsOf(some: Located[]): Promise<string[]> {
  const found: string[] = []
  for (const one of some) {
    found.push(...(await faultOf(one)))
  }
  return found
}

/** Other ones each time. */
function few(all: Located[]): Located[] {
  const from = SEED % all.length
  return [...all.slice(from), ...all.slice(0, from)].slice(0, FEW)
}

const WHERE = `COFFER_SEED=${SEED}: correct these examples in src/http/description/examples and examples.ts. Operations whose path the demo data cannot have belong to NOTHING_TO_NAME.`

it('reads whatever its examples name', async () => {
  expect(await faultsOf(isProof ? reads : few(reads)), WHERE).toEqual([])
})

it('takes every body that it gives as an example', async () => {
  expect(await faultsOf(isProof ? changes : few(changes)), WHERE).toEqual([])
})

it('names nothing in a path that the demo data does not have', () => {
  const missing = [...reads, ...changes].flatMap(({ operation: { operationId, parameters } }) =>
    (parameters ?? [])
      .flatMap((one) => ('in' in one && one.in === 'path' ? String(one.schema?.example) : []))
      .filter((id) => /^[a-z]+_[0-9a-z]{26}$/.test(id) && !demo.ids.has(id))
      .map((id) => `${operationId} ${id}`),
  )
  expect(
    missing.filter((one) => !((one.split(' ')[0] as string) in REFUSED)),
    WHERE,
  ).toEqual([])
})

group('the description', () => {
  const ids = new Set(located.map(({ operation }) => operation.operationId))

  it('has an example for each JSON body, and none of an operation that there is not', () => {
    const taking = located.flatMap(({ operation: { operationId, requestBody } }) =>
      requestBody?.content['application/json'] ? [operationId] : [],
    )
    expect(
      taking.filter((id) => !(id in BODY_EXAMPLES)),
      'Add an example for each of these operations to a file of src/http/description/examples.',
    ).toEqual([])
    expect(
      Object.keys(BODY_EXAMPLES).filter((id) => !taking.includes(id)),
      'Remove these examples from the files of src/http/description/examples.',
    ).toEqual([])
    const named = [PATH_EXAMPLES, TEXTS, REFUSED].flatMap((table) => Object.keys(table))
    expect([...named, ...NOTHING_TO_NAME].filter((id) => !ids.has(id))).toEqual([])
  })

  it('fills in no optional parameter, so that the first page is what one gets', () => {
    const optional = [
      ...Object.values(document.components.parameters ?? {}),
      ...located.flatMap(({ operation }) =>
        (operation.parameters ?? []).filter((parameter) => 'in' in parameter),
      ),
    ].filter(({ required }) => !required)
    expect(optional.length).toBeGreaterThan(50)
    expect(
      optional.filter((one) => one.example !== undefined || one.schema?.example !== undefined),
    ).toEqual([])
  })

  it('demands no field that has a default, and says null beside a reference', () => {
    const text = JSON.stringify(document.components.schemas)
    expect(text).not.toMatch(/"default":(?!\{)/)
    expect(text).toContain('Default: `false`.')
    expect(
      document.components.schemas['CreateTransactionRequest']?.properties?.['location'],
    ).toEqual({
      description: 'Place of the transaction.',
      anyOf: [{ $ref: '#/components/schemas/Location' }, { type: 'null' }],
    })
  })

  it('says each area in a sentence, and no other', () => {
    const used = located.flatMap(({ operation }) => (operation as { tags?: string[] }).tags ?? [])
    const tags = (document.tags ?? []) as { name: string; description: string }[]
    expect(
      tags.map(({ name }) => name).toSorted(),
      'Describe each tag, and no other, in src/http/description/tags.json.',
    ).toEqual([...new Set(used)].toSorted())
    expect(tags.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
  })

  it('is the same for Swagger UI, with one box for the token', () => {
    const rendered = describeForSwaggerUi(app)
    expect(rendered.openapi).toBe('3.0.3')
    expect(Object.keys(rendered.components.securitySchemes ?? {})).toEqual(['BearerAuth'])
    const idsOf = (paths: typeof rendered.paths) =>
      Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId))
    const [first, ...others] = idsOf(rendered.paths)
    expect(first).toBe('login')
    expect(others).toEqual(idsOf(document.paths).filter((one) => one !== first))
  })
})
