import { beforeAll, describe, expect, it } from 'vitest'
import type { OperationEntry } from '../../src/http/registry.ts'
import { REVEALS } from '../support/canaries.ts'
import { overAllAmiss } from '../support/statements-over-all.ts'
import { isWhole, operations } from '../support/operations.ts'
import { type Allowed, amiss, scansIn } from '../support/plans.ts'
import { LEGS } from '../support/sampled-user.ts'
import { type Walk, walk } from '../support/walk.ts'

// The rules for what succeeds. Every operation is asked once with its sample (test/support/walk.ts), and each rule is
// held against what was seen of it.

/**
 * Whether an operation only looks. A download does not: the log tells of it before its first byte leaves. Nor does the check
 * whether the database can store something.
 */
const isLook = ({ method, operationId }: OperationEntry) =>
  method === 'get' && !/^(download|followDownload|getReadiness)/.test(operationId)

/** They ask no database. */
const OFFLINE = ['getHealth', 'getVersion', 'getJwks']

/** Who may read these tables whole, and why. */
const READ_WHOLE: Allowed = {
  settings: { by: ['getSettings'], because: 'one row per setting that was chosen' },
  roles: { by: ['listRoles'], because: 'roles are few, and shown all' },
  identity_providers: {
    by: ['getRegistrationPolicy', 'listIdentityProviders', 'unlinkIdentity', 'deleteRole'],
    because: 'providers are few',
  },
  users: {
    by: ['listUsers', 'listRoleUsers', 'getMetrics'],
    because: 'administrators see and count all users',
  },
  sign_in_codes: {
    by: ['updateIdentityProvider'],
    because: 'codes live for five minutes, and providers change seldom',
  },
  invite_codes: {
    by: ['listAllInviteCodes', 'deleteRole'],
    because: 'administrators see and count all codes, and seldom delete a role',
  },
  tasks: {
    by: ['listAllQueueTasks', 'getQueueTaskStatistics', 'getMetrics', 'getSystemHealth'],
    because: 'administrators see and count all tasks; done ones are kept for a time only',
  },
  download_days: { by: ['getDownloadMetrics'], because: 'one row for each day and kind' },
  downloaders: { by: ['getDownloadMetrics'], because: 'one row for each user, to count them' },
  log_readers: { by: ['getSystemHealth'], because: 'one row for each reader of the log' },
  storage_usage: {
    by: ['getMetrics', 'getStorageMetrics'],
    because: 'one row for all that somebody keeps in a class',
  },
  account_balances: { by: ['getMetrics'], because: 'one row per account' },
  groups: {
    by: ['getMetrics', 'listAllGroups'],
    because: 'administrators see and count all groups',
  },
  storage_classes: {
    by: ['listStorageClasses', 'getStorageMetrics'],
    because: 'classes are few',
  },
  shares: { by: ['listAllShares'], because: 'administrators see and count what everybody shares' },
  system_exchange_rates: {
    by: ['listExchangeRates', 'listSystemRates'],
    because: 'the list is cut after a page in the order of its index, and counts all',
  },
}

let walked: Walk
/** Whether an operation was to be asked: also one that there is no more, where all were. */
const isAsked = (operationId: string) =>
  isWhole || walked.visits.some(({ operation }) => operation.operationId === operationId)

beforeAll(async () => {
  walked = await walk()
})

/** Writes that read a file first, whose rows are looked up once it is known which accounts they are on. */
const THREE_TRIPS = [
  ...['createImport', 'replaceImportFile', 'setImportMapping'],
  // What the items say is checked as if it were booked, which takes a trip of its own.
  ...['postOccurrences', 'updateOccurrence', 'updateRecurring'],
]

/** A read whose rows stand in a file: payees and rules for them are looked up once their texts are known. */
const TWO_TRIPS = ['listImportRows']

describe('every operation', () => {
  it('has a sample, and every sample an operation', () => {
    const known = operations.map(({ operationId }) => operationId)
    const sampled = Object.keys(walked.samples)
    const unknown = known.filter((one) => !sampled.includes(one) && !LEGS.includes(one))
    expect(unknown, 'Add a sample of each operation to test/support/samples.ts.').toEqual([])
    const surplus = sampled.filter((one) => isWhole && !known.includes(one))
    expect(
      surplus,
      'Remove these samples from test/support/samples.ts: there is no such operation.',
    ).toEqual([])
  })

  it('succeeds with its sample, and answers as openapi.json says', () => {
    expect(walked.visits.flatMap(({ faults }) => faults)).toEqual([])
  })

  it('costs one trip to the database for a read, and at most two for a write', () => {
    const tooDear = walked.visits.flatMap(({ operation, trips }) => {
      const isOne = isLook(operation)
      const { operationId } = operation
      const most = THREE_TRIPS.includes(operationId) ? 3 : 2
      const budget = isOne && !TWO_TRIPS.includes(operationId) ? 1 : most
      const told = `${operation.operationId} makes ${trips} trips instead of ${budget}`
      return trips <= budget ? [] : [told]
    })
    expect(tooDear).toEqual([])
    const offline = walked.visits.filter(({ trips }) => trips === 0)
    expect(offline.map(({ operation }) => operation.operationId)).toEqual(OFFLINE.filter(isAsked))
  })

  it('writes nothing where it only reads', () => {
    const writing = walked.visits
      .filter(({ operation, rowsWritten }) => isLook(operation) && rowsWritten > 0)
      .map(({ operation: { operationId }, rowsWritten }) => `${operationId} writes ${rowsWritten}`)
    expect(writing).toEqual([])
  })

  it('shows a secret where it is meant to, and nowhere else', () => {
    const showing = walked.visits.filter(({ secrets }) => secrets.length > 0)
    const known = Object.keys(REVEALS).filter((one) => isAsked(one) && !LEGS.includes(one))
    expect(showing.map(({ operation }) => operation.operationId).toSorted()).toEqual(
      known.toSorted(),
    )
  })

  it('tells numbers of the log, which count what everybody does, to administrators alone', () => {
    const telling = walked.visits.filter(({ showsNumbers }) => showsNumbers)
    const isOfAll = ({ path }: OperationEntry) => path.startsWith('/admin/')
    expect(telling.filter(({ operation }) => !isOfAll(operation))).toEqual([])
    const known = telling.map(({ operation }) => operation.operationId)
    expect(known.includes('verifyAuditLog'), 'the search finds them').toBe(
      isAsked('verifyAuditLog'),
    )
  })

  it('reads no table whole, by no filter of a list', async () => {
    expect(walked.heard.size > 250 || !isWhole, 'statements were heard').toBe(true)
    const scans = await scansIn(walked.heard)
    expect(amiss(scans, READ_WHOLE, isAsked)).toEqual({ found: [], surplus: [] })
  })

  it('says in each statement whose rows it means, but those that are about everybody', async () => {
    const isOperation = (who: string) => operations.some(({ operationId }) => operationId === who)
    expect(await overAllAmiss(walked.heard, (who) => isOperation(who) && isAsked(who))).toEqual({
      found: [],
      surplus: [],
    })
  })

  it('binds no LIMIT, as SQLite plans such a statement anew for each value', () => {
    expect([...walked.heard.keys()].filter((sql) => /\blimit \?/i.test(sql))).toEqual([])
  })
})
