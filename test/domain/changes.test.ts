import { expect, test } from 'vitest'
import { changesBetween } from '../../src/domain/changes.ts'

const before = { name: 'Ada', roles: ['user'], note: null, version: 3 }

test('a change tells both images of what differs', () => {
  const after = { name: 'Grace', roles: ['user', 'admin'], note: 'x' }
  expect(changesBetween(before, after)).toEqual({
    name: ['Ada', 'Grace'],
    roles: [['user'], ['user', 'admin']],
    note: [null, 'x'],
  })
})

test('a change tells nothing of what is alike, was not sent or cannot be chosen', () => {
  expect(changesBetween(before, { name: undefined, roles: ['user'], note: null })).toEqual({})
  expect(changesBetween(before, {})).toEqual({})
})
