import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { eventsTellingOf } from '../../../src/areas/insight/audit-log/redaction/redaction.queries.ts'
import {
  logEntry,
  type LogEntryRow,
  type LogFilter,
  ownLog,
  ownSearch,
  searchedLog,
  searchOf,
} from '../../../src/areas/insight/audit-log/audit-log.queries.ts'
import {
  addedBeforeAll,
  chainHead,
  countOfUnsealed,
  eventsOfSealed,
  eventsOfUnsealed,
  sealedCommits,
  unsealedCommits,
} from '../../../src/areas/insight/audit-log/chain/chain.queries.ts'
import {
  commitsToCut,
  cutSegmentWith,
  segmentsEnding,
  segmentsTellingOf,
  segmentToCut,
  valuesIn,
} from '../../../src/areas/insight/audit-log/segments/segments.queries.ts'
import { historyEntry } from '../../../src/areas/money/accounts/history/history.queries.ts'
import type { SignedIn } from '../../../src/platform/context.ts'
import { read } from '../../../src/platform/database/database.ts'
import { cutSegments } from '../../../src/platform/log/log-segments.ts'
import type { LogList } from '../../../src/platform/log/log-reading.ts'
import type { PageRequest } from '../../../src/platform/database/paging.ts'
import { db, type Statement } from '../../../src/platform/database/statements.ts'
import { overheardDatabase, planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'

async function stepsOf(statement: Statement): Promise<string[]> {
  const { database, heard } = overheardDatabase()
  await read(contextWith({ database: database.withSession('first-primary') }), statement)
  const [[sql, { values }] = ['', { values: [] }]] = heard
  return planOf(sql, values)
}

/** Steps that go through a whole table of the log, or build an index of one. */
const scansIn = (steps: string[]) =>
  steps.filter((step) => /^SCAN ([celsab]|log_\w+)\b|AUTOMATIC/.test(step))

/** How the database finds the events of a page, which it sorts and joins to what is told of them only then. */
function findingIn(steps: string[]): string[] {
  let isFinding = false
  return steps.filter((step) => {
    isFinding = step.startsWith('CO-ROUTINE') || (isFinding && !step.startsWith('SCAN (subquery'))
    return isFinding
  })
}

const caller = { userId: 'usr_x', sessionId: null, tokenHash: null, profile: {} }
const ctx = contextWith({ caller: caller as unknown as SignedIn['caller'] }) as SignedIn
const first = { limit: 50, after: undefined }
const next = { limit: 50, after: ['1', '2', '3'] }
const id = 'log_01k9v3q8m5t0w2x4y6z8a1b3c5-2'

const rowsOf = (list: LogList<LogEntryRow>, page: PageRequest) => db.all(list.rows(page))

const SEARCHES: [LogFilter, string[]][] = [
  [{ ownerId: 'usr_x' }, ['log_commits_of_owner (owner_id=?', 'log_events_of_owner (owner_id=?']],
  [{ actorId: 'usr_x' }, ['log_commits_of_owner (owner_id=?', 'log_commits_of_actor (actor_id=?']],
  [{ actorId: 'usr_x', ownerId: 'usr_y', ip: '192.0.2.1' }, ['log_commits_of_owner (owner_id=?']],
  [{ resourceId: 'acc_x', since: 1, until: 2 }, ['log_events_of_resource (resource_id=?']],
  [{ groupId: 'grp_x', action: 'x' }, ['log_events_of_group (group_id=?']],
  [{}, ['log_commits_by_time (at>?']],
  [{ since: 1, until: 2, resourceType: 'account' }, ['log_commits_by_time (at>? AND at<?']],
]

it.each(SEARCHES)('finds %j by an index, in its order', async (filter, indexes) => {
  const search = searchOf(1, filter)
  for (const page of [first, next]) {
    const steps = await stepsOf(rowsOf(searchedLog(search), page))
    expect(scansIn(steps)).toEqual([])
    const finding = findingIn(steps)
    expect(finding.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    for (const index of indexes) {
      expect(finding).toContainEqual(expect.stringContaining(`USING INDEX ${index}`))
    }
  }
  expect(scansIn(await stepsOf(db.all(searchedLog(search).count ?? sql``)))).toEqual([])
})

it('finds the own log by indexes, in their order', async () => {
  const search = ownSearch(ctx, {})
  for (const page of [first, next]) {
    const steps = await stepsOf(rowsOf(ownLog(ctx, search), page))
    expect(scansIn(steps)).toEqual([])
    const finding = findingIn(steps)
    expect(finding.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    for (const index of ['log_commits_of_owner', 'log_events_of_owner', 'log_commits_of_actor']) {
      expect(finding).toContainEqual(expect.stringContaining(`USING INDEX ${index} (`))
    }
  }
})

it('begins a page where the last one ended, not at the newest event', async () => {
  for (const [filter, condition] of [
    [{ ownerId: 'usr_x' }, /log_commits_of_owner \(owner_id=\? AND rowid<\?\)/],
    [{ actorId: 'usr_x' }, /log_commits_of_actor \(actor_id=\? AND rowid<\?\)/],
    [{ resourceId: 'acc_x' }, /log_events_of_resource \(resource_id=\? AND rowid<\?\)/],
    [{ groupId: 'grp_x' }, /log_events_of_group \(group_id=\? AND rowid<\?\)/],
    [{}, /log_commits_by_time \(at>\? AND at<\?\)/],
  ] as const) {
    const steps = await stepsOf(rowsOf(searchedLog(searchOf(1, filter)), next))
    expect(steps).toContainEqual(expect.stringMatching(condition))
  }
})

it('finds an event by the time that its id tells', async () => {
  for (const { row } of [logEntry(id), historyEntry(ctx, id)]) {
    const steps = await stepsOf(db.all(row))
    expect(scansIn(steps)).toEqual([])
    expect(steps).toContainEqual('SEARCH c USING INDEX log_commits_by_time (at=?)')
  }
})

it('finds what says something of a user after the events that were seen to', async () => {
  const steps = await stepsOf(eventsTellingOf('usr_x', 5))
  expect(scansIn(steps)).toEqual([])
  for (const index of [
    'log_commits_of_owner (owner_id=? AND rowid>?)',
    'log_events_of_owner (owner_id=? AND rowid>?)',
    'log_commits_of_actor (actor_id=? AND rowid>?)',
  ]) {
    expect(steps).toContainEqual(expect.stringContaining(`USING INDEX ${index}`))
  }
  expect(findingIn(steps).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

const SEGMENT = { firstCommit: 5, lastCommit: 10 }

it.each([
  ['the end of the chain', chainHead()],
  ['the number of what is not sealed', countOfUnsealed()],
  ['commits to seal', unsealedCommits()],
  ['their events', eventsOfUnsealed()],
  ['sealed commits', sealedCommits(5)],
  ['the events of these', eventsOfSealed(5)],
  ['what was put before all others', addedBeforeAll()],
  ['segments to verify', segmentsEnding(5, 10)],
  ['the segment of what was cut off', cutSegmentWith(5)],
  ['the segment to cut off', segmentToCut()],
  ['what is to be cut off of it', commitsToCut(1)],
  ['segments to read on in', cutSegments({ things: sql`('usr_x')`, from: 1 }, undefined, 'newest')],
  ['segments to read on in by time', cutSegments({ from: 1, to: 2 }, undefined, 'oldest')],
  ['segments that tell of somebody', segmentsTellingOf('usr_x')],
  ['what a segment must still say', db.all(sql`SELECT ${valuesIn(SEGMENT)}`)],
])('finds %s without reading the whole log', async (_, statement: Statement) => {
  expect(scansIn(await stepsOf(statement))).toEqual([])
})
