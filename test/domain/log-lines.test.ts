import { describe, expect, it } from 'vitest'
import {
  downloadsOf,
  fromText,
  type LogLine,
  thingsIn,
  toText,
} from '../../src/domain/log-lines.ts'

const line = (commit: Partial<LogLine['commit']> = {}, events: object[] = [{}]): LogLine => ({
  commit: {
    ...{ number: 1, id: 'log_1', at: 0, operation: 'tags.create', type: 'tag.created' },
    ...{ actorType: 'user', actorId: 'usr_1', tokenId: null, ownerId: 'usr_1', requestId: 'req_1' },
    ...{ ip: null, userAgent: null, firstEvent: 1, eventCount: events.length, format: 2 },
    ...commit,
  },
  events: events.map((event) => ({
    ...{ commitNumber: 1, type: null, resourceType: null, resourceId: null, ownerId: null },
    ...{ accountId: null, history: null, groupId: null, version: null, content: null, facts: null },
    ...event,
  })),
  seal: { number: 1, contentHash: 'a', hash: 'b', keyId: 'c' },
})

describe('the lines of a segment', () => {
  it('come back as they were written', () => {
    const lines = [line(), line({ number: 2 })]
    expect(fromText(toText(lines))).toEqual(lines)
  })

  it.each([
    ['no JSON', 'x'],
    ['no object', '7'],
    ['nothing', 'null'],
    ['no commit', JSON.stringify({ ...line(), commit: null })],
    ['no seal', JSON.stringify({ ...line(), seal: 7 })],
    ['a seal without a hash', JSON.stringify({ ...line(), seal: { ...line().seal, hash: null } })],
    ['a seal that lacks a field', JSON.stringify({ ...line(), seal: { number: 1 } })],
    ['no list of events', JSON.stringify({ ...line(), events: {} })],
    ['an event that is none', JSON.stringify({ ...line(), events: [null] })],
  ])('are none where one is %s', (_, text) => {
    expect(fromText(`${toText([line()])}${text}\n`)).toBeNull()
  })
})

describe('what a commit is found by', () => {
  it('is all that it names, once', () => {
    const events = [
      { resourceId: 'txn_1', accountId: 'acc_1' },
      { groupId: 'grp_1', ownerId: 'usr_2' },
    ]
    expect(thingsIn(line({}, events))).toEqual(['usr_1', 'txn_1', 'acc_1', 'usr_2', 'grp_1'])
  })

  it('is of a download also that it is one, by everybody and by its user', () => {
    const type = 'file.downloaded'
    expect(thingsIn(line({ type }))).toEqual(['usr_1', downloadsOf(), downloadsOf('usr_1')])
    expect(thingsIn(line({ type, actorId: null, ownerId: null }))).toEqual([
      downloadsOf(),
      downloadsOf(''),
    ])
  })
})
