import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { impliedCodes } from '../../src/http/error-codes.ts'
import { ERROR_CODES } from '../../src/http/error-codes.data.ts'
import { inProject } from './project.ts'

// What tests see of errors (test/support/codes.ts appends it to the file that COFFER_CODES names), held against what
// the description says.

type Operation = Parameters<typeof impliedCodes>[0]

/** A new file for what the tests of a run see. */
export function newRecord(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'coffer-codes-')), 'seen')
  appendFileSync(file, '')
  return file
}

/** The own codes of each operation, as tests saw them. */
export function seenIn(file: string): Map<string, string[]> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const pairs = [...new Set(lines)].filter((line) => line !== '').map((line) => line.split(' '))
  const implied = impliedByOperation()
  const own = pairs.filter(([id = '', code = '']) => !implied.get(id)?.includes(code))
  const grouped = Map.groupBy(own, ([id = '']) => id)
  return new Map(
    [...grouped].map(([id, found]) => [id, found.map(([, code = '']) => code).toSorted()]),
  )
}

function impliedByOperation(): Map<string, string[]> {
  const { paths } = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  return new Map(
    Object.values(paths).flatMap((item) =>
      Object.entries(item).map(([method, one]) => [one.operationId, impliedCodes(one, method)]),
    ),
  )
}

/** What is declared and no test of a whole run has seen. */
export function unseen(file: string): string[] {
  const seen = seenIn(file)
  return Object.entries(ERROR_CODES).flatMap(([id, codes]) =>
    codes
      .split(' ')
      .filter((code) => !seen.get(id)?.includes(code))
      .map((code) => `${id} ${code}`),
  )
}

/** Declares what was seen, and nothing else. */
export function declareSeen(file: string): void {
  const entries = [...seenIn(file)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const lines = entries.map(([id, codes]) => `  ${id}: '${codes.join(' ')}',`)
  const text = [
    '/** The errors of each operation besides those that its shape implies: `npm run errors` writes here what tests see. */',
    'export const ERROR_CODES: Record<string, string> = {',
    ...lines,
    '}',
    '',
  ]
  writeFileSync(inProject('src/http/error-codes.data.ts'), text.join('\n'))
}
