import { describe, expect, it } from 'vitest'
import { isReadOnly, mayLag, sessionStart } from '../../src/http/session-start.ts'

const getTag = { method: 'get', path: '/tag/{id}', access: 'tags.read' } as const

describe('an operation may read from a replica', () => {
  it('where a signed-in user reads', () => {
    expect(mayLag(getTag)).toBe(true)
    expect(mayLag({ ...getTag, path: '/authors' })).toBe(true)
    expect(mayLag({ ...getTag, path: '/account/{id}/admin' })).toBe(true)
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
  ] as const)('not where it %s', (_, changed) => {
    expect(mayLag({ ...getTag, ...changed })).toBe(false)
  })

  it('and commits nothing, unless it says so', () => {
    expect(isReadOnly(getTag)).toBe(true)
    expect(isReadOnly({ ...getTag, access: 'public' })).toBe(true)
    expect(isReadOnly({ ...getTag, writes: true })).toBe(false)
    expect(isReadOnly({ ...getTag, method: 'put' })).toBe(false)
  })
})

describe('a session starts', () => {
  const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'
  const allowed = { mayLag: true, readReplicas: true }

  it.each([
    [{ mayLag: false, readReplicas: true }],
    [{ mayLag: true, readReplicas: false }],
    [{ mayLag: false, readReplicas: false }],
  ])('at the primary unless operation and operator allow a replica: %o', (some) => {
    for (const bookmark of [undefined, BOOKMARK]) {
      expect(sessionStart(some, bookmark)).toBe('first-primary')
    }
  })

  it('anywhere without a bookmark, and at the bookmark that comes', () => {
    expect(sessionStart(allowed, undefined)).toBe('first-unconstrained')
    expect(sessionStart(allowed, BOOKMARK)).toBe(BOOKMARK)
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
    expect(sessionStart(allowed, bookmark)).toBe('first-primary')
  })

  it('at a bookmark of at most 200 characters', () => {
    const longest = `0-${'0'.repeat(198)}`
    expect(sessionStart(allowed, longest)).toBe(longest)
  })
})
