import { expect, it } from 'vitest'
import type { OperationEntry } from '../../src/http/registry.ts'
import { rows } from '../support/api.ts'
import { operationOf } from '../support/described.ts'
import { inOrder, isWhole, nameOf, operations } from '../support/operations.ts'
import { isAmong, isProof } from '../support/rounds.ts'
import { type Sample, samplesOf, sendSample } from '../support/samples.ts'
import { type Service, serviceWith } from '../support/service.ts'
import { changeVersions, isChange, type Shown, shownOf } from '../support/versions.ts'
import { newUser, type TestUser } from '../support/world.ts'

// If-Match is documented, compared and honoured, or refused: no operation ignores it where it matters.

const isVersioned = ({ operationId }: OperationEntry) =>
  operationOf(operationId).parameters.some(({ name }) => name === 'If-Match')

/** Changes of what has no version. Adding one is a decision: it stands here. */
const UNVERSIONED = [
  'DELETE /auth/identity/{id}',
  'DELETE /auth/mfa/totp',
  'DELETE /auth/session/{id}',
  'DELETE /backup/upload/{id}',
  'DELETE /trash',
  'DELETE /user/data/wipe',
  // It changes only whether its reader has seen it.
  'PATCH /notification/{id}',
  // An occurrence exists by its schedule; what is stored of it is compared in the commit.
  'PATCH /recurring/{id}/occurrence/{date}',
  // Nobody else changes the own alert.
  'PUT /account/{id}/alert',
  'PUT /auth/password',
  // What was sent twice is stored once.
  'PUT /backup/upload/{id}/part/{n}',
]

it('is documented by every PUT, PATCH and DELETE of what has a version, with 412, and by nothing else', () => {
  const unversioned = operations.filter((one) => isChange(one) && !isVersioned(one)).map(nameOf)
  const isVisited = (name: string) => isWhole || unversioned.includes(name)
  expect(unversioned.toSorted()).toEqual(UNVERSIONED.filter(isVisited))
  expect(operations.filter((one) => !isChange(one) && isVersioned(one)).map(nameOf)).toEqual([])
  for (const operation of operations) {
    const { responses } = operationOf(operation.operationId)
    expect('412' in responses, nameOf(operation)).toBe(isVersioned(operation))
  }
})

const STALE = '"99999-stale"'

interface Asking {
  me: TestUser
  operation: OperationEntry
  sample: Sample
  /** Somebody who sees nothing of the samples. */
  stranger: TestUser
}

/** Status and code of an answer, and whether the request committed anything. */
async function asked(
  { me, operation, sample }: Asking,
  ifMatch: string | undefined,
  service?: Service,
): Promise<string> {
  const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch }
  const response = await sendSample(me, operation, { ...sample, headers }, service?.fetch)
  const body = new TextDecoder().decode(await response.arrayBuffer())
  if (response.ok) {
    return 'succeeds'
  }
  const { code } = JSON.parse(body) as { code: string }
  const requestId = response.headers.get('X-Request-Id')
  const log = await rows('SELECT id FROM log_entries WHERE request_id = ?', requestId)
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

/** What is to be asked of an operation, and the outcome of each. */
type Checks = [what: string, run: (asking: Asking) => Promise<string>, expected: string][]

const REFUSED = '412 request.stale'

const CURRENT: Checks[number] = [
  'the current version',
  async (asking) => asked(asking, (await shown(asking)).tag),
  'succeeds',
]
const STALE_ONE: Checks[number] = ['a stale version', (asking) => asked(asking, STALE), REFUSED]
const OF_VERSIONED: Checks = [
  STALE_ONE,
  ['a weak tag', async (asking) => asked(asking, `W/${(await shown(asking)).tag}`), REFUSED],
  [
    'an unquoted tag',
    (asking) => asked(asking, STALE.replaceAll('"', '')),
    '400 request.invalidIfMatch',
  ],
  ['a read after a stale version', readAfterStale, 'the same'],
  ['a stale version of somebody else', askedByStranger, 'not seen'],
  ['a version that was current until the commit', askedInRace, REFUSED],
  CURRENT,
]
/** What every operation is asked. The rest, `npm test` asks one in three of them: other ones each time. */
const IN_SHORT: Checks = [STALE_ONE, CURRENT]
const TRIED_OF = 3
const WITH_ANY_VERSION: Checks = [['any version', (asking) => asked(asking, '*'), 'succeeds']]
/** The same two, where an operation can succeed only once. */
const IN_SHORT_WITH_ANY_VERSION: Checks = [STALE_ONE, ...WITH_ANY_VERSION]

const OF_UNVERSIONED: Checks = [
  ['a version', (asking) => asked(asking, STALE), '400 request.noVersion'],
  ['any version', (asking) => asked(asking, '*'), '400 request.noVersion'],
  ['no header', (asking) => asked(asking, undefined), 'succeeds'],
]

const OF_OTHERS: Checks = [
  ['a stale version, which it ignores', (asking) => asked(asking, STALE), 'succeeds'],
]

async function readAfterStale(asking: Asking): Promise<string> {
  const before = await shown(asking)
  await asked(asking, STALE)
  return (await shown(asking)).text === before.text ? 'the same' : 'changed'
}

/** It must not learn from the comparison that the thing is there. */
async function askedByStranger({ stranger, ...asking }: Asking): Promise<string> {
  // A format is nobody's: everybody has their own schedule for it, or none.
  if (!/\{(?!format\})/.test(asking.operation.path)) {
    return 'not seen'
  }
  const found = await asked(
    { ...asking, stranger, sample: { ...asking.sample, as: stranger } },
    STALE,
  )
  return /^40[34] /.test(found) ? 'not seen' : found
}

async function askedInRace(asking: Asking): Promise<string> {
  racing = asking
  return asked(asking, (await shown(asking)).tag, racingService)
}

/** The first thing that is wrong with an operation; what comes after it would only follow from it. */
async function faultOf(asking: Asking, ofVersioned: Checks): Promise<string[]> {
  const { operation } = asking
  const checks = isVersioned(operation)
    ? ofVersioned
    : isChange(operation)
      ? OF_UNVERSIONED
      : OF_OTHERS
  for (const [what, run, expected] of checks) {
    const found = await run(asking)
    if (found !== expected) {
      return [`${nameOf(operation)} with ${what}: ${found}`]
    }
  }
  return []
}

type ChecksOf = (at: number) => Checks

/** One in three the whole of it, and of the others one in two with any version. */
const checksOf: ChecksOf = (at) =>
  isAmong(at, TRIED_OF) ? OF_VERSIONED : isAmong(at, 2) ? IN_SHORT_WITH_ANY_VERSION : IN_SHORT

async function faultsOfAll(ofVersioned: ChecksOf): Promise<string[]> {
  const [{ me, samples }, stranger] = [await samplesOf(), await newUser()]
  // There is nothing to match before the first picture.
  await sendSample(me, operationOf('setAvatar'), samples['setAvatar'] ?? {})
  const faults: string[] = []
  for (const [at, operation] of inOrder(samples).entries()) {
    const sample = samples[operation.operationId] ?? {}
    faults.push(...(await faultOf({ me, stranger, operation, sample }, ofVersioned(at))))
  }
  return faults
}

it('is compared with the version of the thing, refused where there is none, and ignored by reads and POST', async () => {
  expect(await faultsOfAll(checksOf)).toEqual([])
})

it.runIf(isProof)('is satisfied by any version where it is *', async () => {
  expect(await faultsOfAll(() => WITH_ANY_VERSION)).toEqual([])
})
