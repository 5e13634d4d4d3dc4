import { beforeAll, expect, it } from 'vitest'
import type { OperationEntry } from '../../src/http/registry.ts'
import { rows } from '../support/api.ts'
import { someId } from '../support/of-file.ts'
import { inOrder, isWhole, operations, paramsOf } from '../support/operations.ts'
import { replicatedDatabase, type Trip } from '../support/replica.ts'
import { type Sample, samplesOf, sendSample } from '../support/samples.ts'
import { type Service, serviceWith } from '../support/service.ts'

// Where each operation starts, and what it therefore sees. Each is asked after everybody has lost their roles, which the replica has
// not heard of: who reads there is answered, and who reads at the primary is refused. Then the roles come back, and it is asked well.

/** Reads that commit something: that a file was fetched is in the log. */
const WRITING_READS = [
  'downloadAttachment',
  'downloadBackup',
  'downloadExport',
  'downloadImportFile',
]

/** Operations under `/auth` and `/admin` that only read, and may nevertheless not lag, are found by their paths. */
const mayLag = ({ method, path, access, operationId }: OperationEntry) =>
  method === 'get' &&
  access !== 'public' &&
  !path.startsWith('/auth/') &&
  !path.startsWith('/admin/') &&
  !WRITING_READS.includes(operationId)

/** A request, as it was answered. */
interface Seen {
  status: number
  starts: string[]
  trips: Trip[]
  bookmark: string | null
}

interface Visit {
  operation: OperationEntry
  /** By who asks it while the replica lags. */
  lagging: Record<Way, Seen>
  /** The bookmarks that were sent. */
  old: string
  fresh: string
  /** The request of the sample, with nothing behind. */
  good: Seen
}

type Way = 'off' | 'anywhere' | 'old' | 'fresh' | 'malformed'

const MALFORMED = 'not a bookmark'

let visits: Visit[]
/** Public operations, which know no user, asked with an old bookmark; most are refused for what they lack. */
let open: { operationId: string; seen: Seen }[]

beforeAll(async () => {
  const { me, samples } = await samplesOf()
  const replicated = await replicatedDatabase()
  const { database, catchUp, newestBookmark, takeSeen } = replicated
  // Some are asked for a password with every request, and all but one of those are refused.
  const bindings = { DB: database, LOGIN_LIMIT_ACCOUNT: '1000' }
  const off = serviceWith({ env: bindings })
  const on = serviceWith({ env: { ...bindings, READ_REPLICAS: 'on' } })

  async function ask(
    service: Service,
    operation: OperationEntry,
    sample: Sample,
    bookmark?: string,
  ): Promise<Seen> {
    takeSeen()
    const headers = {
      ...sample.headers,
      ...(bookmark === undefined ? {} : { 'X-D1-Bookmark': bookmark }),
    }
    const response = await sendSample(me, operation, { ...sample, headers }, service.fetch)
    await response.arrayBuffer()
    return {
      ...{ status: response.status, bookmark: response.headers.get('X-D1-Bookmark') },
      ...takeSeen(),
    }
  }

  async function visit(operation: OperationEntry, sample: Sample): Promise<Visit> {
    if (mayLag(operation)) {
      await catchUp()
    }
    const old = await newestBookmark()
    const giveBack = await takeRoles()
    const fresh = await newestBookmark()
    const lagging = {
      off: await ask(off, operation, sample, old),
      anywhere: await ask(on, operation, sample),
      old: await ask(on, operation, sample, old),
      fresh: await ask(on, operation, sample, fresh),
      malformed: await ask(on, operation, sample, MALFORMED),
    }
    await giveBack()
    return { operation, lagging, old, fresh, good: await ask(on, operation, sample) }
  }

  open = []
  const old = await newestBookmark()
  for (const operation of operations.filter(({ access }) => access === 'public')) {
    const parts = paramsOf(operation).map((name) => [
      name,
      name === 'id' ? someId('idp') : 'unknown',
    ])
    const path = Object.fromEntries(parts) as Record<string, string>
    const seen = await ask(on, operation, { path }, old)
    open.push({ operationId: operation.operationId, seen })
  }
  visits = []
  for (const operation of inOrder(samples)) {
    if (operation.access !== 'public') {
      visits.push(await visit(operation, samples[operation.operationId] ?? {}))
    }
  }
})

async function takeRoles(): Promise<() => Promise<unknown>> {
  const held = await rows<{ user_id: string; role_id: string }>('SELECT * FROM user_roles')
  await rows('DELETE FROM user_roles')
  return () =>
    rows(
      `INSERT INTO user_roles (user_id, role_id)
        SELECT value ->> 'user_id', value ->> 'role_id' FROM json_each(?)`,
      JSON.stringify(held),
    )
}

const PRIMARY = ['first-primary']
const places = ({ trips }: Seen) => [...new Set(trips.map(({ by }) => by))]

/** How many operations each rule is about: with a part of them, there may be none. */
const expectMany = (found: Visit[], many: number) =>
  expect(isWhole ? found.length : many).toBeGreaterThanOrEqual(many)

const laggards = () => visits.filter(({ operation }) => mayLag(operation))
const others = () => visits.filter(({ operation }) => !mayLag(operation))

/** Operations of which something else was seen than was expected, with that. */
const unlike = (
  found: Visit[],
  expected: (visit: Visit) => unknown,
  seen: (visit: Visit) => unknown,
) =>
  found
    .map((visit) => [
      visit.operation.operationId,
      JSON.stringify(seen(visit)),
      JSON.stringify(expected(visit)),
    ])
    .filter(([, one, other]) => one !== other)

it('starts every operation at the primary unless the operator allows replicas', () => {
  expectMany(visits, 350)
  const seen = ({ lagging: { off } }: Visit) => [off.starts, off.status, places(off)]
  expect(unlike(visits, () => [PRIMARY, 403, ['primary']], seen)).toEqual([])
})

it('answers reads of users from the replica, with what it has', () => {
  expectMany(laggards(), 90)
  const seen = ({ lagging: { anywhere, old } }: Visit) =>
    [anywhere, old].map((one) => [one.starts, one.status < 300, places(one), one.bookmark])
  const expected = ({ old }: Visit) => [
    [['first-unconstrained'], true, ['replica'], old],
    [[old], true, ['replica'], old],
  ]
  expect(unlike(laggards(), expected, seen)).toEqual([])
})

it('answers them with no less than the bookmark that they bring stands for', () => {
  const seen = ({ lagging: { fresh, malformed } }: Visit) =>
    [fresh, malformed].map((one) => [one.starts[0], one.status, places(one)])
  const expected = ({ fresh }: Visit) =>
    [fresh, 'first-primary'].map((start) => [start, 403, ['primary']])
  expect(unlike(laggards(), expected, seen)).toEqual([])
})

it('starts what writes, and all of sessions and administration, at the primary, whatever bookmark comes', () => {
  expectMany(others(), 250)
  const seen = ({ lagging: { anywhere, old, fresh, malformed } }: Visit) =>
    [anywhere, old, fresh, malformed].map((one) => [one.starts, one.status, places(one)])
  const expected = () => [1, 2, 3, 4].map(() => [PRIMARY, 403, ['primary']])
  expect(unlike(others(), expected, seen)).toEqual([])
})

it('starts what is public at the primary', () => {
  expect(isWhole ? open.length : 19).toBe(19)
  const elsewhere = open.filter(
    ({ seen }) => seen.starts.join() !== PRIMARY.join() || places(seen).includes('replica'),
  )
  expect(elsewhere).toEqual([])
})

it('writes nothing with what started at a replica, and something with each read that says so', () => {
  const isWriting = ({ good: { trips } }: Visit) => trips.some((trip) => trip.isWriting)
  expect(unlike(laggards(), () => false, isWriting)).toEqual([])
  const saying = others().filter(({ operation }) => WRITING_READS.includes(operation.operationId))
  expect(unlike(saying, () => true, isWriting)).toEqual([])
})

it('lets every operation succeed', () => {
  expect(
    unlike(
      visits,
      () => true,
      ({ good: { status } }) => status < 300,
    ),
  ).toEqual([])
})
