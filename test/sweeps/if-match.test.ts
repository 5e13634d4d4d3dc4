import { expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { describe as documentOf } from '../../src/http/openapi.ts'
import { allOperations, type Operation } from '../../src/http/registry.ts'
import { rows } from '../support/api.ts'
import { type Sample, type Samples, samplesOf, sendSample } from '../support/samples.ts'
import { type Service, serviceWith } from '../support/service.ts'
import { changeVersions, isChange, type Shown, shownOf } from '../support/versions.ts'
import { newUser, type TestUser } from '../support/world.ts'

// If-Match is documented, compared and honoured, or refused: no operation ignores it where it matters.

interface Described {
  parameters?: { name: string }[]
  responses: Record<string, object>
}

const { paths } = documentOf(createApp()) as { paths: Record<string, Record<string, Described>> }
const operations = allOperations()
const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`

const isVersioned = ({ method, path }: Operation) =>
  paths[path]?.[method]?.parameters?.some(({ name }) => name === 'If-Match') ?? false

/** Changes of what has no version. Adding one is a decision: it stands here. */
const UNVERSIONED = [
  'DELETE /auth/identity/{id}',
  'DELETE /auth/mfa/totp',
  'DELETE /auth/session/{id}',
  'DELETE /trash',
  'DELETE /user/data/wipe',
  'PUT /auth/password',
]

it('is documented by every PUT, PATCH and DELETE of what has a version, with 412, and by nothing else', () => {
  const unversioned = operations.filter((one) => isChange(one) && !isVersioned(one)).map(nameOf)
  expect(unversioned.toSorted()).toEqual(UNVERSIONED)
  expect(operations.filter((one) => !isChange(one) && isVersioned(one)).map(nameOf)).toEqual([])
  for (const operation of operations) {
    const { responses = {} } = paths[operation.path]?.[operation.method] ?? {}
    expect('412' in responses, nameOf(operation)).toBe(isVersioned(operation))
  }
})

const STALE = '"99999-stale"'

interface Asking {
  me: TestUser
  operation: Operation
  sample: Sample
  /** Somebody who sees nothing of the samples. */
  stranger: TestUser
}

/** Status and code of an answer, and whether the request committed anything. */
async function asked(
  { me, operation, sample }: Asking,
  ifMatch: string,
  service?: Service,
): Promise<string> {
  const headers = { 'If-Match': ifMatch }
  const response = await sendSample(me, operation, { ...sample, headers }, service?.fetch)
  const body = new TextDecoder().decode(await response.arrayBuffer())
  if (response.ok) {
    return 'succeeds'
  }
  const { code } = JSON.parse(body) as { code: string }
  const requestId = response.headers.get('X-Request-Id')
  const log = await rows('SELECT id FROM audit_log WHERE request_id = ?', requestId)
  return `${response.status} ${code}${log.length === 0 ? '' : ', and commits something'}`
}

const shown = ({ me, operation, sample }: Asking) => shownOf(me, operation, sample)
const versionOf = ({ tag }: Shown) => /\d+/.exec(tag)?.[0]

let racing: Asking | undefined
/** Changes what the request under way addresses, between its read and its commit. */
const racingService = serviceWith({
  meanwhile: async () => {
    if (racing) {
      await changeMeanwhile(racing)
    }
  },
})

/** Gives the thing another version; where that is in no row yet, by a request of the same kind. */
async function changeMeanwhile(asking: Asking): Promise<void> {
  const { me, operation, sample } = asking
  const before = await shown(asking)
  await changeVersions(me, sample)
  if (versionOf(await shown(asking)) === versionOf(before)) {
    await sendSample(me, operation, sample)
  }
}

/** What is wrong with an operation that documents the header. */
async function faultsOfVersioned(asking: Asking): Promise<string[]> {
  const { operation, stranger } = asking
  const before = await shown(asking)
  const stale = await asked(asking, STALE)
  const weak = await asked(asking, `W/${before.tag}`)
  const { text } = await shown(asking)
  const foreign = operation.path.includes('{')
    ? await asked({ ...asking, sample: { ...asking.sample, as: stranger } }, STALE)
    : 'none'
  racing = asking
  const raced = await asked(asking, before.tag, racingService)
  const current = await asked(asking, (await shown(asking)).tag)
  return [
    ...(stale === '412 request.stale' ? [] : [`a stale version: ${stale}`]),
    ...(weak === '412 request.stale' ? [] : [`a weak tag: ${weak}`]),
    ...(text === before.text ? [] : ['a refused request changed something']),
    ...(foreign === 'none' || /^40[34] /.test(foreign) ? [] : [`somebody else: ${foreign}`]),
    ...(raced === '412 request.stale' ? [] : [`changed between read and commit: ${raced}`]),
    ...(current === 'succeeds' ? [] : [`the current version: ${current}`]),
  ]
}

async function faultsOfAnyVersion(asking: Asking): Promise<string[]> {
  const any = await asked(asking, '*')
  return any === 'succeeds' ? [] : [`any version: ${any}`]
}

/** What is wrong with a change that does not document the header. */
async function faultsOfUnversioned(asking: Asking): Promise<string[]> {
  const { me, operation, sample } = asking
  const refusals = [await asked(asking, STALE), await asked(asking, '*')]
  const { ok } = await sendSample(me, operation, sample)
  return [
    ...refusals.filter((one) => one !== '400 request.noVersion'),
    ...(ok ? [] : ['fails without the header']),
  ]
}

/** What is wrong with an operation that ignores the header. */
async function faultsOfIgnoring(asking: Asking): Promise<string[]> {
  const ignored = await asked(asking, STALE)
  return ignored === 'succeeds' ? [] : [`a stale version, which it ignores: ${ignored}`]
}

/** Without the legs of a journey to an identity provider and back, which have no samples. */
const inOrder = (samples: Samples) => {
  const order = Object.keys(samples)
  return operations
    .filter((one) => isChange(one) || order.includes(one.operationId))
    .toSorted((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId))
}

it.each([
  ['compared with the version of the thing', faultsOfVersioned],
  ['satisfied by any version where it is *', faultsOfAnyVersion],
])(
  'is %s, refused where there is none, and ignored by reads and POST',
  async (_, faultsOf) => {
    const [{ me, samples }, stranger] = [await samplesOf(), await newUser()]
    // There is nothing to match before the first picture.
    const setAvatar = operations.find(({ operationId }) => operationId === 'setAvatar')
    await sendSample(me, setAvatar ?? { method: '', path: '' }, samples['setAvatar'] ?? {})
    const faults: string[] = []
    for (const operation of inOrder(samples)) {
      const asking = { me, stranger, operation, sample: samples[operation.operationId] ?? {} }
      const found = isVersioned(operation)
        ? await faultsOf(asking)
        : isChange(operation)
          ? await faultsOfUnversioned(asking)
          : await faultsOfIgnoring(asking)
      faults.push(...found.map((fault) => `${nameOf(operation)}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  60_000,
)
