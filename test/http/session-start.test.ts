import { describe, expect, it } from 'vitest'
import { isReadOnly, sessionStart } from '../../src/http/gate.ts'

const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'
const getTag = { method: 'get', path: '/tag/{id}', access: 'tags.read' } as const
const allowed = { readReplicas: true }

describe('a session starts', () => {
  it('anywhere where a signed-in user reads', () => {
    for (const path of ['/tag/{id}', '/authors', '/account/{id}/admin']) {
      expect(sessionStart({ ...getTag, path }, allowed, undefined)).toBe('first-unconstrained')
    }
  })

  it('at the bookmark that comes', () => {
    expect(sessionStart(getTag, allowed, BOOKMARK)).toBe(BOOKMARK)
  })

  it.each([
    ['writes', { method: 'post' }],
    ['changes', { method: 'patch' }],
    ['deletes', { method: 'delete' }],
    ['is public', { access: 'public' }],
    ['is about sessions', { path: '/auth/session' }],
    ['is all there is under /auth', { path: '/auth' }],
    ['is of administrators', { path: '/admin/users/{id}' }],
    ['commits something while it reads', { writes: true }],
  ] as const)('at the primary where an operation %s', (_, changed) => {
    for (const bookmark of [undefined, BOOKMARK]) {
      expect(sessionStart({ ...getTag, ...changed }, allowed, bookmark)).toBe('first-primary')
    }
  })

  it('at the primary where the operator allows nothing else', () => {
    for (const bookmark of [undefined, BOOKMARK]) {
      expect(sessionStart(getTag, { readReplicas: false }, bookmark)).toBe('first-primary')
    }
  })

  it.each([
    '',
    ' ',
    '0',
    '-',
    'first-primary',
    'first-unconstrained',
    BOOKMARK.toUpperCase(),
    `${BOOKMARK}-`,
    `${BOOKMARK} `,
    `${BOOKMARK}, ${BOOKMARK}`,
    `${BOOKMARK}\u00e9`,
    "' OR 1=1--",
    `0-${'0'.repeat(199)}`,
  ])('at the primary when the bookmark is malformed: %j', (bookmark) => {
    expect(sessionStart(getTag, allowed, bookmark)).toBe('first-primary')
  })

  it('at a bookmark of at most 200 characters', () => {
    const longest = `0-${'0'.repeat(198)}`
    expect(sessionStart(getTag, allowed, longest)).toBe(longest)
  })
})

describe('an operation', () => {
  it('commits nothing if it is a GET, unless its route says that it writes', () => {
    expect(isReadOnly(getTag)).toBe(true)
    expect(isReadOnly({ ...getTag, access: 'public' })).toBe(true)
    expect(isReadOnly({ ...getTag, writes: true })).toBe(false)
    expect(isReadOnly({ ...getTag, method: 'put' })).toBe(false)
  })
})
