import { expect, it } from 'vitest'
import {
  isAdminOnly,
  isSessionOnly,
  PERMISSION_KEYS,
  PERMISSIONS,
  permissionsOfRole,
  systemRolesHolding,
  widenedBy,
} from '../../src/domain/permissions.ts'
import { permissionsOfScopes, SCOPES, scopesGranting } from '../../src/domain/scopes.ts'

it('names every permission resource.action, with words for people', () => {
  for (const key of PERMISSION_KEYS) {
    expect(key).toMatch(/^[a-z][A-Za-z]+\.[a-z]+$/)
    expect(PERMISSIONS[key].description.length).toBeGreaterThan(5)
  }
})

it('gives the system role admin everything, and user all that is not reserved', () => {
  expect(permissionsOfRole('admin', [])).toEqual(PERMISSION_KEYS)
  const ofUser = permissionsOfRole('user', ['roles.write'])
  expect(ofUser).toEqual(PERMISSION_KEYS.filter((key) => !isAdminOnly(key)))
  expect(ofUser).toContain('accounts.read')
  expect(ofUser).not.toContain('roles.write')
})

it('tells which system roles hold a permission', () => {
  expect(systemRolesHolding('roles.write')).toEqual(['admin'])
  expect(systemRolesHolding('accounts.read')).toEqual(['admin', 'user'])
})

it('gives any other role what is stored for it, in the order of the catalogue', () => {
  const stored = ['roles.read', 'accounts.read', 'left.theCatalogue']
  expect(permissionsOfRole(null, stored)).toEqual(['accounts.read', 'roles.read'])
})

it('lets an access token have every permission but those that need a session', () => {
  expect(permissionsOfScopes(SCOPES)).toEqual(PERMISSION_KEYS.filter((key) => !isSessionOnly(key)))
  expect(permissionsOfScopes([...PERMISSION_KEYS])).toEqual(permissionsOfScopes(SCOPES))
  expect(scopesGranting('sessions.write')).toEqual([])
})

it('reserves nothing for administrators that needs a session: that is about oneself alone', () => {
  expect(PERMISSION_KEYS.filter((key) => isSessionOnly(key) && isAdminOnly(key))).toEqual([])
})

it('lets the scope read see what is the own, and nothing of an administrator', () => {
  const seen = permissionsOfScopes(['read'])
  expect(seen).toContain('accounts.read')
  expect(seen.filter((key) => isAdminOnly(key) || !key.endsWith('.read'))).toEqual([])
  expect(permissionsOfScopes(['roles.read'])).toEqual(['roles.read'])
})

it('widens only what there is, and nothing by most', () => {
  const widened = PERMISSION_KEYS.map(widenedBy)
  expect(widened.filter((one) => one !== undefined)).not.toEqual([])
  expect(PERMISSION_KEYS).toEqual(expect.arrayContaining(widened.filter(Boolean)))
  expect(widenedBy('accounts.read')).toBeUndefined()
})
