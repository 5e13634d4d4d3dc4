import { expect, it } from 'vitest'
import { secretWeakness } from '../../src/domain/secret-strength.ts'

it.each([
  ['a'.repeat(40), 'has too few different characters'],
  ['k3Jx9QmZ'.repeat(5), 'repeats itself'],
  ['x9-PassWord-k3JvQmZt7Yw2LcNf8Rb5', 'holds the well-known word "password"'],
  ['GHIJKLMNOPQRSTUVWXYZghijklmnopqr', 'is a sequence'],
  ['zyxwvutsrqponmlkjihgfedcba987654', 'is a sequence'],
  ['k3Jx9QmZt7Yw2LcNf8Rb5Hd6Vg4Ps1Ta', undefined],
])('of %s says %s', (secret, weakness) => {
  expect(secretWeakness(secret)).toBe(weakness)
})
