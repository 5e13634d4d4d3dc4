import fc from 'fast-check'
import { expect } from 'vitest'
import { beginFileAt, someBytes } from './of-file.ts'
import { hashOf } from './random.ts'
import { SEED } from './rounds.ts'

// The set-up of every project: each run draws the same. What a file draws depends on its name alone, so that neither the files before it
// nor those beside it change what it tests.

const file = (expect.getState().testPath ?? '').replace(/^.*\/test\//, '')
beginFileAt(hashOf(file, SEED))

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

/** Tests name what must be theirs alone by UUIDs. The service takes its own chance elsewhere. */
crypto.randomUUID = () => {
  const bytes = someBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
