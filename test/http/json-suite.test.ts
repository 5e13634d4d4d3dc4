import { describe, expect, it } from 'vitest'
import { login } from '../../src/areas/identity/auth/auth.routes.ts'
import { createRole } from '../../src/areas/identity/roles/roles.routes.ts'
import { call, type Principal } from '../support/api.ts'
import { filesBeside } from '../support/beside.ts'
import { newAdmin } from '../support/world.ts'

// The cases of JSONTestSuite; many are no text.
const cases = [...filesBeside('torture/json/*.json')].map(([path, body]) => ({
  name: path.split('/').at(-1) ?? path,
  body,
}))

const casesOf = (kind: string) => cases.filter(({ name }) => name.startsWith(kind))

async function answersTo(kind: string, as?: Principal) {
  const answers: { name: string; status: number; code: string }[] = []
  for (const { name, body } of casesOf(kind)) {
    const { status, error } = await call(as ? createRole : login, { raw: { body }, as })
    answers.push({ name, status, code: error.code })
  }
  return answers
}

/** A key that is there twice is JSON, but says nothing certain. */
const acceptable = (name: string) =>
  name.startsWith('y_object_duplicated_key')
    ? ['request.malformedJson']
    : ['request.invalid', 'request.malformedText']

describe.skipIf(cases.length === 0)('of the cases of JSONTestSuite', () => {
  it('all are here', () => {
    expect(['n_', 'y_', 'i_'].map((kind) => casesOf(kind).length)).toEqual([188, 95, 35])
  })

  it('those that are no JSON are refused as such', async () => {
    for (const as of [undefined, await newAdmin()]) {
      for (const { name, status, code } of await answersTo('n_', as)) {
        expect([status, code], name).toEqual([400, 'request.malformedJson'])
      }
    }
  })

  it('those that are JSON are read, and refused for what they say', async () => {
    for (const { name, status, code } of await answersTo('y_')) {
      expect(status, name).toBe(400)
      expect(acceptable(name), name).toContain(code)
    }
  })

  it('those that a parser may read or refuse do no harm', async () => {
    for (const { name, status } of await answersTo('i_')) {
      expect(status, name).toBe(400)
    }
  })
})
