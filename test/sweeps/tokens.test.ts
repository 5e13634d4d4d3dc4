import { describe, expect, it } from 'vitest'
import '../../src/app.ts'
import { permissionsOfScopes, SCOPES } from '../../src/domain/permissions.ts'
import { allOperations } from '../../src/http/registry.ts'
import { fetchRaw } from '../support/api.ts'
import { newAdmin } from '../support/world.ts'
import { giveToken } from '../areas/access-tokens/tokens.ts'

const guarded = allOperations().filter(({ access }) => access !== 'public')

describe('an access token of an administrator', () => {
  it.each(SCOPES)(
    'with the scope %s opens exactly the routes of its permissions',
    async (scope) => {
      const { accessToken } = await giveToken(await newAdmin(), [scope])
      const allowed: string[] = permissionsOfScopes([scope])
      const refused = await Promise.all(
        guarded.map(async ({ method, path, access, operationId }) => {
          const hasBody = ['post', 'put', 'patch'].includes(method)
          const { status } = await fetchRaw(path.replace(/\{\w+\}/g, 'nothing'), {
            method: method.toUpperCase(),
            headers: {
              Authorization: `Bearer ${accessToken}`,
              'Content-Type': 'application/json',
            },
            ...(hasBody ? { body: '{"surplus":1}' } : {}),
          })
          expect([401, 500], operationId).not.toContain(status)
          return status === 403 ? [] : [[operationId, access]]
        }),
      )
      const expected = guarded.filter(({ access }) => allowed.includes(access))
      expect(refused.flat()).toEqual(
        expected.map(({ operationId, access }) => [operationId, access]),
      )
    },
  )
})
