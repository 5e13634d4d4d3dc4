import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sealLog } from '../../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import type { Principal } from '../../support/api.ts'
import { contextOf, emptyLog, fill, openScratch, run, verifyAs } from './scratch.ts'

let admin: Principal & { id: string }

beforeAll(async () => {
  admin = await openScratch()
})

beforeEach(emptyLog)

const verify = async (from = 1) => (await verifyAs(admin, { from })).body

const OF_THIRD = 'WHERE commit_number = 3'
/** What the third commit says of its thing, and of the item with it. */
const HEAD = "WHERE resource_id = 'thg_3'"
const ITEM = `${OF_THIRD} AND resource_id = 'txn_1'`

const removeThird = [
  `DELETE FROM log_events ${OF_THIRD}`,
  'DELETE FROM log_commits WHERE number = 3',
]

/** Gives other numbers to all rows behind one, without two of one number in between. */
const shift = (table: string, column: string, after: number, by: number) => [
  `UPDATE ${table} SET ${column} = ${column} + 1000 WHERE ${column} > ${after}`,
  `UPDATE ${table} SET ${column} = ${column} - 1000 + ${by} WHERE ${column} > 1000`,
]

const shiftCommits = (after: number, by: number) => [
  ...shift('log_commits', 'number', after, by),
  ...shift('log_events', 'commit_number', after, by),
]

/** Makes room for an event behind the last one of the third commit, which has the numbers 5 and 6. */
const shiftEvents = [
  ...shift('log_events', 'number', 6, 1),
  ...shift('log_commits', 'first_event', 6, 1),
]

const insertCommit = (number: number) =>
  `INSERT INTO log_commits (number, id, at, operation, actor_type, type, request_id, first_event, event_count)
    VALUES (${number}, 'log_x', 3, 'thing.changed', 'user', 'thing.changed', 'req_1', 99, 0)`

const insertEvent = (number: number) =>
  `INSERT INTO log_events (number, commit_number, resource_type, resource_id, content)
    VALUES (${number}, 3, 'thing', 'txn_9', '{}')`

const swap = (table: string, column: string) => [
  `UPDATE ${table} SET ${column} = 99 WHERE ${column} = 3`,
  `UPDATE ${table} SET ${column} = 3 WHERE ${column} = 4`,
  `UPDATE ${table} SET ${column} = 4 WHERE ${column} = 99`,
]

const third = (reason: string) => ({ number: 3, logId: 'log_3', reason })

const ofCommit = (set: string) => [`UPDATE log_commits SET ${set} WHERE number = 3`]

/** What stays of a commit and its events for ever. */
const FIXED: [string, string[]][] = [
  ...[
    ...["id = 'log_x'", 'at = at + 1', "operation = 'x'", "actor_type = 'system'"],
    ...["actor_id = 'usr_x'", "token_id = 'tok_x'", "type = 'thing.made'", "owner_id = 'usr_x'"],
    ...["request_id = 'req_x'", 'first_event = first_event + 1', 'event_count = event_count + 1'],
    'event_count = event_count - 1',
  ].map((set): [string, string[]] => [`${set} in a commit`, ofCommit(set)]),
  ...[
    ...["type = 'thing.made'", "resource_type = 'x'", "resource_id = 'x'", "owner_id = 'usr_x'"],
    ...["owner_id = ''", "account_id = 'acc_x'", "account_id = 'acc_x', history = 1"],
    ...["account_id = 'acc_x', history = 2", "group_id = 'grp_x'", 'version = 2'],
    ...['commit_number = 4'],
  ].flatMap((set): [string, string[]][] => [
    [`${set} in an event`, [`UPDATE log_events SET ${set} ${HEAD}`]],
    [`${set} in the event of an item`, [`UPDATE log_events SET ${set} ${ITEM}`]],
  ]),
]

const TAMPERINGS: [string, string[], object][] = [
  ...FIXED.map(([what, statements]): [string, string[], object] => [
    what,
    statements,
    { ...third('entryChanged'), ...(what.startsWith('id') ? { logId: 'log_x' } : {}) },
  ]),
  [
    'what was done, told differently',
    [`UPDATE log_events SET content = '{"name":["a","c"]}' ${HEAD}`],
    third('contentChanged'),
  ],
  ['other facts', [`UPDATE log_events SET facts = '{"bytes":2}' ${HEAD}`], third('contentChanged')],
  ['another address that it came from', ofCommit("ip = '192.0.2.2'"), third('contentChanged')],
  ['another browser that it came from', ofCommit("user_agent = 'X'"), third('contentChanged')],
  [
    'an item that was changed',
    [`UPDATE log_events SET content = '[]' ${ITEM}`],
    third('contentChanged'),
  ],
  ['an item that was removed', [`DELETE FROM log_events ${ITEM}`], third('entryChanged')],
  [
    'an item that was removed, and is counted no more',
    [`DELETE FROM log_events ${ITEM}`, ...ofCommit('event_count = 1')],
    third('entryChanged'),
  ],
  [
    'an item that was added',
    [...shiftEvents, insertEvent(7), ...ofCommit('event_count = 3')],
    third('entryChanged'),
  ],
  [
    'an event that was added between those of two commits',
    [...shiftEvents, insertEvent(7)],
    { number: 4, logId: 'log_4', reason: 'entryAdded' },
  ],
  [
    'an event that was put before all others',
    [insertEvent(0)],
    { number: 1, logId: null, reason: 'entryAdded' },
  ],
  [
    'events of a commit that were swapped',
    [
      'UPDATE log_events SET number = 99 WHERE number = 5',
      'UPDATE log_events SET number = 5 WHERE number = 6',
      'UPDATE log_events SET number = 6 WHERE number = 99',
    ],
    third('entryChanged'),
  ],
  [
    'events that were swapped between commits',
    swap('log_events', 'commit_number'),
    third('entryChanged'),
  ],
  [
    'content that was taken out of what is said of somebody who is still there',
    [
      `UPDATE log_events SET content = NULL, facts = NULL ${OF_THIRD}`,
      ...ofCommit('ip = NULL, user_agent = NULL'),
    ],
    third('contentChanged'),
  ],
  [
    'an origin that was taken out of what somebody did who is still there',
    ofCommit('ip = NULL, user_agent = NULL'),
    third('contentChanged'),
  ],
  ['a commit that was removed', removeThird, { number: 3, logId: null, reason: 'entryMissing' }],
  [
    'a commit that was removed with its seal',
    ['DELETE FROM log_seals WHERE number = 3', ...removeThird],
    { number: 3, logId: null, reason: 'linkMissing' },
  ],
  [
    'a commit that was removed with its seal, and the others moved up',
    [
      'DELETE FROM log_seals WHERE number = 3',
      ...removeThird,
      ...shift('log_seals', 'number', 3, -1),
      ...shiftCommits(3, -1),
    ],
    { number: 3, logId: 'log_4', reason: 'entryChanged' },
  ],
  [
    'the first commit, removed with its seal',
    [
      'DELETE FROM log_seals WHERE number = 1',
      'DELETE FROM log_events WHERE commit_number = 1',
      'DELETE FROM log_commits WHERE number = 1',
    ],
    { number: 1, logId: null, reason: 'linkMissing' },
  ],
  [
    'a seal that was removed',
    ['DELETE FROM log_seals WHERE number = 3'],
    { number: 3, logId: null, reason: 'linkMissing' },
  ],
  ['seals that were swapped', swap('log_seals', 'number'), third('entryChanged')],
  [
    'commits that were swapped',
    [...swap('log_commits', 'number'), ...swap('log_events', 'commit_number')],
    { number: 3, logId: 'log_4', reason: 'entryChanged' },
  ],
  [
    'what two commits say, swapped',
    [
      "UPDATE log_events SET resource_id = 'x' WHERE resource_id = 'thg_4'",
      "UPDATE log_events SET resource_id = 'thg_4' WHERE resource_id = 'thg_3'",
      "UPDATE log_events SET resource_id = 'thg_3' WHERE resource_id = 'x'",
    ],
    third('entryChanged'),
  ],
  [
    'a commit that was put between others',
    [...shiftCommits(3, 1), insertCommit(4)],
    { number: 4, logId: 'log_x', reason: 'entryChanged' },
  ],
  [
    'a commit that was put between others, and their seals moved down',
    [...shiftCommits(3, 1), ...shift('log_seals', 'number', 3, 1), insertCommit(4)],
    { number: 4, logId: null, reason: 'linkMissing' },
  ],
  [
    'a commit that was put before all others',
    [insertCommit(-1)],
    { number: 1, logId: 'log_x', reason: 'entryAdded' },
  ],
  [
    'a hash of content that was changed with it',
    [
      'UPDATE log_seals SET content_hash = (SELECT content_hash FROM log_seals WHERE number = 2) WHERE number = 3',
    ],
    third('entryChanged'),
  ],
  [
    'a key that nobody has',
    ["UPDATE log_seals SET key_id = 'mine' WHERE number = 3"],
    third('unknownKey'),
  ],
]

describe('verifying the log', () => {
  it.each(TAMPERINGS)('finds %s', async (_, statements, broken) => {
    await fill({ count: 6, ownerId: admin.id })
    await sealLog(contextOf())
    expect((await verify()).valid).toBe(true)
    await env.SCRATCH.batch(statements.map((sql) => env.SCRATCH.prepare(sql)))
    const found = await verify()
    expect(found).toMatchObject({ valid: false, broken, next: null })
    expect(found.verified).toBe((found.broken?.number ?? 0) - 1)
  })
})

it('finds an event that was added at the end as soon as more is sealed', async () => {
  await fill({ count: 3 })
  await sealLog(contextOf())
  await run(insertEvent(50))
  await fill({ count: 1 })
  await sealLog(contextOf())
  expect(await verify()).toMatchObject({
    verified: 4,
    broken: { number: 5, logId: 'log_5', reason: 'entryAdded' },
  })
})

it('finds commits at the end that were replaced by others of the same numbers', async () => {
  await fill({ count: 5 })
  await sealLog(contextOf())
  await run('DELETE FROM log_events WHERE commit_number > 4')
  await run('DELETE FROM log_commits WHERE number > 4')
  await fill({ count: 2, actorId: 'usr_x' })
  expect(await verify()).toMatchObject({
    verified: 4,
    broken: { number: 5, logId: 'log_5', reason: 'entryChanged' },
  })
})
