import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { work } from '../../src/areas/index.ts'
import { describe as documentOf } from '../../src/http/openapi.ts'
import { allOperations, type Operation } from '../../src/http/registry.ts'
import { newOwner } from '../areas/user/owners.ts'
import { rows } from '../support/api.ts'
import { heardOfTriggers, overheardDatabase, type Scan, scansIn } from '../support/plans.ts'
import { type Sample, type Samples, samplesOf, sendSample } from '../support/samples.ts'
import { contextWith, serviceWith } from '../support/service.ts'
import type { TestUser } from '../support/world.ts'

/** Whoever may read these tables whole, and why. All others grow with what people do. */
type Allowed = Record<string, { by: string[]; because: string }>

const BY_OPERATIONS: Allowed = {
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
  invite_codes: {
    by: ['listAllInviteCodes', 'deleteRole'],
    because: 'administrators see and count all codes, and seldom delete a role',
  },
  tasks: {
    by: ['listAllQueueTasks', 'getQueueTaskStatistics', 'getMetrics', 'getSystemHealth'],
    because: 'administrators see and count all tasks; done ones are kept for a time only',
  },
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

const BY_TASKS: Allowed = {
  storage_classes: { by: ['files.purge'], because: 'classes are few' },
  tasks: { by: ['platform.purge'], because: 'done ones are kept for a time only' },
  sessions: { by: ['platform.purge'], because: 'once a night' },
  sign_in_codes: { by: ['user.erase'], because: 'they live for minutes' },
}

const isBy = (who: string, { by }: Scan) => by.split(' ')[0] === who

/** What was found and is not allowed, and what is allowed and was not found. */
const amiss = (scans: Scan[], allowed: Allowed) => ({
  found: scans.filter((scan) => !allowed[scan.table]?.by.some((who) => isBy(who, scan))),
  surplus: Object.entries(allowed).flatMap(([table, { by }]) =>
    by.filter((who) => !scans.some((scan) => scan.table === table && isBy(who, scan))),
  ),
})

const NOTHING = { found: [], surplus: [] }

let me: TestUser
let samples: Samples
const { database, heard, attend } = overheardDatabase()
const service = serviceWith({ env: { DB: database } })

beforeAll(async () => {
  ;({ me, samples } = await samplesOf())
})

interface Parameter {
  name: string
  in: string
  schema?: { example?: unknown; enum?: unknown[]; type?: string }
  example?: unknown
}

const { paths } = JSON.parse(JSON.stringify(documentOf(createApp()))) as {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
}

/** The filters and orders that a list takes, each with values that it may have. */
function choicesOf({ path, method }: Operation): [string, string[]][] {
  const parameters = paths[path]?.[method]?.parameters ?? []
  return parameters
    .filter(({ name, in: place }) => place === 'query' && !['limit', 'cursor'].includes(name))
    .map(({ name, schema = {}, example = schema.example }) => {
      const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : [example])
      return [name, values.map((value) => own(String(value)))]
    })
}

/** An id of the samples in the place of that of the description. */
const own = (value: string): string =>
  /^[a-z]{3,4}_[0-9a-z]{26}$/.test(value)
    ? (new RegExp(`\\b${value.split('_')[0]}_[0-9a-z]{26}`).exec(JSON.stringify(samples))?.[0] ??
      value)
    : value

/** Every choice alone, and each with the first of all the others. */
function queriesOf(operation: Operation): string[] {
  const choices = choicesOf(operation)
  const firsts = choices.map(([name, [first = '']]) => [name, first])
  const queries = choices.flatMap(([name, values]) =>
    values.flatMap((value) => [
      [[name, value]],
      [...firsts.filter(([other]) => other !== name), [name, value]],
    ]),
  )
  return queries.map((query) => `?${new URLSearchParams(query).toString()}`)
}

async function ask(operation: Operation, sample: Sample) {
  const response = await sendSample(me, operation, sample, service.fetch)
  const text = await response.text()
  return { status: response.status, text }
}

/** A list in all its ways, and its second page where there is one. */
async function askVariously(operation: Operation, sample: Sample): Promise<void> {
  for (const query of ['', ...queriesOf(operation)]) {
    attend(`${operation.operationId} ${query}`)
    const separator = query === '' ? '?' : '&'
    const first = await ask(operation, { ...sample, query: `${query}${separator}limit=1` })
    const { nextCursor } = first.status === 200 ? JSON.parse(first.text) : {}
    if (nextCursor) {
      const next = `limit=1&cursor=${encodeURIComponent(nextCursor)}`
      await ask(operation, { ...sample, query: `${query}${separator}${next}` })
    }
    if (first.status === 400) {
      await ask(operation, { ...sample, query })
    }
  }
}

it('reads no table whole, in no operation and by no filter of a list', async () => {
  const order = Object.keys(samples)
  const operations = allOperations().toSorted(
    (a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId),
  )
  for (const operation of operations) {
    attend(operation.operationId)
    const sample = samples[operation.operationId] ?? {}
    await ask(operation, sample)
    if (operation.method === 'get' && choicesOf(operation).length > 0) {
      await askVariously(operation, sample)
    }
  }
  expect(heard.size).toBeGreaterThan(250)
  expect(amiss(await scansIn(heard), BY_OPERATIONS)).toEqual(NOTHING)
})

it('reads no table whole in a trigger', async () => {
  const triggers = await heardOfTriggers()
  expect(triggers.size).toBeGreaterThan(20)
  expect(await scansIn(triggers)).toEqual([])
})

it('reads no table whole in a task, but to check the ledger', async () => {
  const overheard = overheardDatabase()
  const { id: userId } = await newOwner()
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", userId)
  const [backupId, exportId] = [`bak_${userId}`, `exp_${userId}`]
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, filter, created_at, updated_at)
      VALUES (?1, 'backup', ?3, 'queued', NULL, 0, 0), (?2, 'auditLog', ?3, 'queued', '{"format":"csv"}', 0, 0)`,
    backupId,
    exportId,
    userId,
  )
  // Nor to be made ready for other plans: those that are tested are made without statistics.
  const apart = ['ledger.check', 'database.optimize']
  for (const { kind, run } of work.jobs.filter((job) => !apart.includes(job.kind))) {
    overheard.attend(kind)
    const ctx = { ...contextWith(), database: overheard.database.withSession('first-primary') }
    // A mail that is not there, and rates from nowhere, are not what is asked here.
    const payload = { userId, ownerId: userId, before: ctx.now, backupId, exportId }
    await run(ctx, payload, []).catch(() => undefined)
  }
  for (const sweep of work.sweeps ?? []) {
    overheard.attend('sweep')
    await sweep({ ...contextWith(), database: overheard.database.withSession('first-primary') })
  }
  expect(overheard.heard.size).toBeGreaterThan(50)
  expect(amiss(await scansIn(overheard.heard), BY_TASKS)).toEqual(NOTHING)
})

it.each([
  ['a table', "SELECT 1 FROM entries WHERE note = 'x'", 'SCAN entries'],
  ['a table under another name', "SELECT 1 FROM entries AS e WHERE e.note = 'x'", 'SCAN e'],
  ['all of an index', 'SELECT count(*) FROM "transactions"', 'SCAN transactions USING COVERING'],
  [
    'a table for an index of the moment',
    'SELECT 1 FROM accounts a JOIN entries e ON e.note = a.name',
    'SEARCH e USING AUTOMATIC',
  ],
])('would tell who reads %s', async (_, sql, step) => {
  const scans = await scansIn(new Map([[sql, { by: 'somebody', values: [] }]]))
  expect(scans.map((scan) => scan.step)).toContainEqual(expect.stringContaining(step))
})

it('does not mind a walk through what a statement has made itself', async () => {
  const sql = `WITH few AS (SELECT * FROM accounts WHERE owner_id = 'x' LIMIT 3)
    SELECT few.id FROM few, json_each('[1, 2]') n, (SELECT 1 UNION ALL SELECT 2) two`
  expect(await scansIn(new Map([[sql, { by: 'somebody', values: [] }]]))).toEqual([])
})
