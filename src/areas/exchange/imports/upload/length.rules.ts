import { recogniseFormats } from '../../../../domain/bank-files/formats.ts'
import type { FormatKey } from '../../../../domain/bank-files/format.ts'
import { READ_AT_ONCE } from '../imports.rules.ts'

/** Lines of a file that are no rows: the heading, and what a bank writes above and below. */
const OTHER_LINES = 100

const [LF, CR] = [10, 13]

function lineEndsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
      count += 1
    }
  }
  return count
}

/** Whether a file has clearly more rows than are read at once, which is told of CSV alone: it has a line for each row. */
export const hasTooManyLines = (
  bytes: Uint8Array,
  head: string,
  format: FormatKey | undefined = recogniseFormats(head)[0]?.format.key,
): boolean => format === 'csv' && lineEndsIn(bytes) > READ_AT_ONCE.rows + OTHER_LINES
