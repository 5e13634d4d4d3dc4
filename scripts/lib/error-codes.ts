import './dev-globals.ts'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { draft } from '../../src/http/openapi.ts'
import { ERROR_CODES, impliedCodes } from '../../src/http/description/error-codes.ts'
import { inProject } from './project.ts'

// Compares the errors that tests see (test/support/codes.ts appends them to the file that COFFER_CODES names) with
// the description.

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
  // Not openapi.json, in which operations share their parameters.
  const { paths } = draft(createApp(), '3.1.0')
  return new Map(
    Object.values(paths).flatMap((item) =>
      Object.entries(item).map(([method, one]) => [one.operationId, impliedCodes(one, method)]),
    ),
  )
}

/** Operations of the code that openapi.json does not have. */
export function undescribed(): string[] {
  const { paths } = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const described = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  return [...impliedByOperation().keys()].filter((id) => !described.includes(id))
}

/** Returns the declared errors that no test of a whole run has seen. */
export function unseen(file: string): string[] {
  const seen = seenIn(file)
  return Object.entries(ERROR_CODES).flatMap(([id, codes]) =>
    codes
      .split(' ')
      .filter((code) => !seen.get(id)?.includes(code))
      .map((code) => `${id} ${code}`),
  )
}

/** Declares what was seen besides what is declared: what only a race brings about may be seen another time. */
export function declareSeen(file: string): void {
  const seen = seenIn(file)
  const implied = impliedByOperation()
  const entries = [...implied.keys()].toSorted().flatMap((id) => {
    const known = [...(ERROR_CODES[id]?.split(' ') ?? []), ...(seen.get(id) ?? [])]
    const own = [...new Set(known)].filter((code) => !implied.get(id)?.includes(code))
    return own.length === 0 ? [] : [[id, own.toSorted().join(' ')]]
  })
  const text = JSON.stringify(Object.fromEntries(entries), null, 2)
  writeFileSync(inProject('src/http/description/error-codes.json'), `${text}\n`)
}
