import fc from 'fast-check'
import { expect } from 'vitest'
import { AppError } from '../../../src/domain/errors.ts'
import type { FileFormat, Reading } from '../../../src/domain/bank-files/format.ts'
import type {
  FileWarning,
  SourceAccount,
  SourceItem,
  SourceRow,
  SourceStatement,
} from '../../../src/domain/bank-files/source.ts'
import { isAmong, rounds } from '../../support/rounds.ts'

const COUNTING = [
  ...(['actual', 'camt', 'camt details', 'csv', 'csv survey', 'ynab', 'ynab devices'] as const),
]

/** Whether to give this reader more rows than a file may have: in `npm test` one in four. */
export const triesTooManyRows = (reader: (typeof COUNTING)[number]): boolean =>
  isAmong(COUNTING.indexOf(reader), 4)

/** A text cut anywhere. A failing run prints its seed. */
export const pieces = (text: string): fc.Arbitrary<string[]> =>
  fc
    .array(fc.integer({ min: 0, max: text.length }), { maxLength: 12 })
    .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), text.length])
    .map((cuts) => cuts.slice(1).map((cut, at) => text.slice(cuts[at], cut)))

/** Surveys and reads a file, as an import does it. */
export function readItems(
  format: FileFormat,
  parts: string[],
  options: Partial<Reading> = {},
): SourceItem[] {
  const surveyor = format.survey(options)
  for (const part of parts) {
    surveyor.push(part)
  }
  const survey = surveyor.end()
  const reader = format.read(survey.reading, survey)
  return [...parts.flatMap((part) => reader.push(part)), ...reader.end()]
}

export interface ReadFile {
  accounts: SourceAccount[]
  /** As they are at their end. */
  statements: SourceStatement[]
  rows: SourceRow[]
  warnings: FileWarning[]
}

export function readFile(
  format: FileFormat,
  text: string,
  options: Partial<Reading> = {},
): ReadFile {
  const items = readItems(format, [text], options)
  const statements: SourceStatement[] = []
  for (const item of items) {
    if (item.is === 'statement') {
      statements.push(item.statement)
    }
    if (item.is === 'statementEnd') {
      statements[item.index] = item.statement
    }
  }
  return {
    accounts: items.flatMap((item) => (item.is === 'account' ? [item.account] : [])),
    statements,
    rows: items.flatMap((item) => (item.is === 'row' ? [item.row] : [])),
    warnings: items.flatMap((item) => (item.is === 'warning' ? [item.warning] : [])),
  }
}

/** The rows in short: date, amount, payee, description. */
export const short = ({ rows }: ReadFile): (string | undefined)[][] =>
  rows.map(({ date, amount, payeeRaw, description }) => [date, amount, payeeRaw, description])

/** Cuts the file anywhere: what it says stays the same. */
export function checkPieces(format: FileFormat, text: string): void {
  const whole = readItems(format, [text])
  expect(readItems(format, text.split(''))).toEqual(whole)
  fc.assert(
    fc.property(pieces(text), (parts) => {
      expect(readItems(format, parts)).toEqual(whole)
    }),
    { numRuns: rounds(30, 1_000) },
  )
}

/** Breaks the file in many ways: it is read, or refused as a file. */
export function checkBroken(format: FileFormat, text: string): void {
  const junk = fc.constantFrom(
    '',
    '<',
    '>',
    '&',
    '"',
    '{',
    '}',
    ']',
    ',',
    ':',
    '\n',
    '\r',
    '/',
    '-',
    '^',
    '+',
    '?20',
    ':61:',
    '\u0000',
    '\ud800',
    '9'.repeat(50),
    'ü',
    '\ufffd',
  )
  const change = fc.record({
    at: fc.integer({ min: 0, max: text.length }),
    without: fc.integer({ min: 0, max: 200 }),
    junk,
  })
  const changed = fc
    .tuple(fc.array(change, { maxLength: 5 }), fc.integer({ min: 0, max: text.length * 2 }))
    .map(([changes, end]) =>
      changes
        .reduce(
          (all, { at, without, junk: put }) => all.slice(0, at) + put + all.slice(at + without),
          text,
        )
        .slice(0, end),
    )
  fc.assert(
    fc.property(changed, (broken) => {
      try {
        readItems(format, [broken])
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect((error as AppError).code).toMatch(
          /^imports\.(malformed|truncated|empty|noStatements|tooManyRows|tooManyAccounts)$/,
        )
      }
    }),
    { numRuns: rounds(150, 5_000) },
  )
}
