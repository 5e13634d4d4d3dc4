import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Data that lies beside the project. */
const FOLDER = join(import.meta.dirname, '../../../shared/data')

/**
 * Files that are no part of the project and lie beside it where they are at hand, by their paths; elsewhere there are none.
 * @param pattern such as `imports/csv/*.csv`
 */
export function filesBeside(pattern: string): Map<string, Buffer> {
  if (!existsSync(FOLDER)) {
    return new Map()
  }
  const paths = globSync(pattern, { cwd: FOLDER }).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(join(FOLDER, path))]))
}
