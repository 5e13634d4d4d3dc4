import { expect, it } from 'vitest'
import { createAccount } from '../../src/areas/money/accounts/accounts.routes.ts'
import { createAccountGroup } from '../../src/areas/money/accounts/folders/folders.routes.ts'
import { createCategory } from '../../src/areas/money/categories/categories.routes.ts'
import { createIdentityProvider } from '../../src/areas/identity/identity-providers/identity-providers.routes.ts'
import { createPayee, createPayeeAlias } from '../../src/areas/money/payees/payees.routes.ts'
import { createRole } from '../../src/areas/identity/roles/roles.routes.ts'
import { createStorageClass } from '../../src/areas/files/storage-classes/storage-classes.routes.ts'
import { createTag } from '../../src/areas/money/tags/tags.routes.ts'
import { call, ok } from '../support/api.ts'
import { newAdmin, type TestUser } from '../support/world.ts'
import { wanted as wantedProvider } from '../areas/identity-providers/providers.ts'

// No two names that look equal: every unique name, with characters in it that nobody sees.

type Create = (as: TestUser, name: string) => Promise<{ status: number; error: { field?: string } }>

const creators: Record<string, Create> = {
  role: (as, name) => call(createRole, { as, json: { name, permissions: [] } }),
  account: (as, name) =>
    call(createAccount, { as, json: { name, type: 'checking', currency: 'EUR' } }),
  'folder of accounts': (as, name) => call(createAccountGroup, { as, json: { name } }),
  tag: (as, name) => call(createTag, { as, json: { name } }),
  payee: (as, name) => call(createPayee, { as, json: { name } }),
  category: (as, name) => call(createCategory, { as, json: { name, kind: 'expense' } }),
  'storage class': (as, name) =>
    call(createStorageClass, {
      as,
      json: { name, prefix: 'x/', maxObjectBytes: 1000, allowedTypes: ['text/csv'] },
    }),
  'identity provider': (as, name) =>
    call(createIdentityProvider, { as, json: wantedProvider({ name }) }),
}

const disguises: ((name: string) => string)[] = [
  (name) => name.replace('m', '\u200bm'),
  (name) => `\u2060${name}\ufeff`,
  (name) => `\u202e${name}\u202c`,
  (name) => name.replace(' ', '\u200b \u2800'),
]

it.each(Object.entries(creators))('a %s', async (_, create) => {
  const admin = await newAdmin()
  const name = `Name ${crypto.randomUUID()}`
  expect((await create(admin, name)).status).toBe(201)
  for (const disguise of disguises) {
    expect((await create(admin, disguise(name))).status).toBe(409)
  }
  const unseen = await create(admin, '\u200b\u3164')
  expect([unseen.status, unseen.error.field]).toEqual([400, 'name'])
})

it('an alias of a payee', async () => {
  const admin = await newAdmin()
  const { id } = await ok(createPayee, { as: admin, json: { name: 'Tesco' } })
  const add = (raw: string) => call(createPayeeAlias, { as: admin, id, json: { raw } })
  expect((await add('TESCO 3021')).status).toBe(201)
  expect((await add('TESCO\u00ad 3021')).status).toBe(409)
  expect((await add('\u200b')).status).toBe(400)
})
