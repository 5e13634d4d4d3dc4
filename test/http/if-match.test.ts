import { describe, expect, it } from 'vitest'
import { changePassword } from '../../src/areas/identity/auth/auth.routes.ts'
import { versionsIn } from '../../src/http/answer.ts'
import { commit, requireVersion } from '../../src/platform/database/database.ts'
import type { Context } from '../../src/platform/context.ts'
import { call, rows } from '../support/api.ts'
import { testDone } from '../support/events.ts'
import { serviceWith, testGate } from '../support/service.ts'
import { newUser } from '../support/world.ts'

it.each<[string, number[] | '*']>([
  ['"2-abc"', [2]],
  ['"2"', [2]],
  ['"1-a","3-c" , "12-_-"', [1, 3, 12]],
  ['*', '*'],
  [' * ', '*'],
  ['W/"2-abc"', []],
  ['"1-a", W/"2-b"', [1]],
  ['W/*', []],
  ['"2-abc", *', [2]],
  ['', []],
  ['"abc"', []],
  ['2-abc', []],
  ['"2-abc', []],
  ['"2-"', []],
  ['"-2-abc"', []],
  ['"2.0-abc"', []],
  ['"1234567890123456-abc"', []],
])('of If-Match: %s the versions are %j', (header, versions) => {
  expect(versionsIn(header)).toEqual(versions)
})

describe('an operation that promises If-Match', () => {
  const change = (ctx: Context, id: string) =>
    commit(ctx, {
      changes: [testDone(id)],
      result: undefined,
    })

  /** Status of a route that does this, and how often it committed. */
  async function outcomeOf(run: (ctx: Context, id: string) => Promise<void>, ifMatch?: string) {
    const id = crypto.randomUUID()
    const { fetch } = serviceWith({
      routes: (app) =>
        app.put(
          '/test/versioned',
          testGate({ method: 'put', path: '/test/versioned', ifMatch: 'compared' }),
          async (c) => {
            const { ctx } = c.var
            await (ctx && run(ctx, id))
            return c.text('done')
          },
        ),
    })
    const response = await fetch(
      new Request('http://coffer.test/test/versioned', {
        method: 'PUT',
        headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
      }),
    )
    const commits = await rows('SELECT id FROM log_entries WHERE resource_id = ?', id)
    return [response.status, commits.length]
  }

  it('commits what it compared, whether it was asked to or not', async () => {
    const run = async (ctx: Context, id: string) => {
      requireVersion(ctx, 2)
      await change(ctx, id)
    }
    expect(await outcomeOf(run)).toEqual([200, 1])
    expect(await outcomeOf(run, '"2-abc"')).toEqual([200, 1])
    expect(await outcomeOf(run, '*')).toEqual([200, 1])
    expect(await outcomeOf(run, '"1-abc"')).toEqual([412, 0])
  })

  it('fails and commits nothing when it compared nothing, in every request', async () => {
    expect(await outcomeOf(change)).toEqual([500, 0])
    expect(await outcomeOf(change, '"2-abc"')).toEqual([500, 0])
  })

  it('fails when it compared nothing and had nothing to commit', async () => {
    const run = async () => undefined
    expect(await outcomeOf(run)).toEqual([500, 0])
    expect(await outcomeOf(run, '*')).toEqual([500, 0])
  })

  it('keeps the refusals that come before', async () => {
    const run = async (ctx: Context) => requireVersion(ctx, undefined)
    expect(await outcomeOf(run)).toEqual([200, 0])
    expect(await outcomeOf(run, '*')).toEqual([412, 0])
    expect(await outcomeOf(async (ctx) => requireVersion(ctx, 1, 2), '"1", "2"')).toEqual([200, 0])
    expect(await outcomeOf(async (ctx) => requireVersion(ctx, 1, 2), '"1"')).toEqual([412, 0])
  })
})

describe('an operation on what has no version', () => {
  const json = { currentPassword: 'wrong', newPassword: 'another fine password' }
  const ask = async (as?: { accessToken: string }, more: object = { json }) => {
    const headers = { 'If-Match': '"1-x"' }
    const { status, error } = await call(changePassword, { as, headers, ...more })
    return [status, error.code, error.field]
  }

  it('refuses the header before it looks at the rest', async () => {
    const me = await newUser()
    const refused = [400, 'request.noVersion', 'If-Match']
    expect(await ask(me)).toEqual(refused)
    expect(await ask(me, { raw: { body: '{' } })).toEqual(refused)
    expect(
      await rows("SELECT id FROM log_entries WHERE actor_id = ? AND type LIKE 'password%'", me.id),
    ).toEqual([])
  })

  it('first says who may not call it', async () => {
    const [gone, powerless] = [await newUser(), await newUser()]
    await rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', gone.id)
    await rows('DELETE FROM user_roles WHERE user_id = ?', powerless.id)
    expect(await ask()).toEqual([401, 'auth.required', undefined])
    expect(await ask(gone)).toEqual([401, 'auth.tokenInvalid', undefined])
    expect(await ask(powerless)).toEqual([403, 'auth.forbidden', undefined])
  })
})
