import { newId } from '../../src/domain/ids.ts'
import { randomFrom } from './random.ts'

let random = randomFrom(0)

/** Where the chance of the next test file begins; only its set-up says so (chance.ts). */
export function beginFileAt(seed: number): void {
  random = randomFrom(seed)
}

/** Bytes for keys and tokens of tests that only have to be unlike any others of the file; the same in every run. */
export const someBytes = (count: number): Uint8Array<ArrayBuffer> => random.bytes(count)

/** An id that nothing else of the test file has. */
export const someId = (prefix: string, at = Date.now()): string => newId(prefix, at, someBytes(10))
