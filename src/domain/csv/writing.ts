import { MONEY_PATTERN } from '../money.ts'

// Text in cells of a table. A spreadsheet runs a cell that looks like a formula, so such a text gets an apostrophe in front.
// Each rule here has its inverse, so that nothing is lost on the way out and back in.

/** The start of a text that a spreadsheet may run, or that looks as if it had been guarded already. */
const FORMULA_OR_QUOTE = /^(?:\s*[=+\-@\t\r]|')/

const needsGuard = (text: string): boolean =>
  FORMULA_OR_QUOTE.test(text) && !MONEY_PATTERN.test(text)

/** A text as a cell that no spreadsheet runs. A number stays as it is. */
export const guardCell = (text: string): string => (needsGuard(text) ? `'${text}` : text)

/** The text that `guardCell` made a cell of. */
export const unguardCell = (cell: string): string =>
  cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell

/** A cell of a line (RFC 4180), in quotes only where it needs them. */
export const quoteCell = (cell: string, separator = ','): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

export const csvLine = (cells: readonly string[], separator = ','): string =>
  `${cells.map((cell) => quoteCell(cell, separator)).join(separator)}\r\n`

const LEVEL = ' / '

/** The names of a category and those above it as one text. A slash that would part a name is escaped. */
export const joinPath = (names: readonly string[]): string =>
  names
    .map((name) => name.replaceAll('\\', '\\\\').replaceAll(/(?<=^| )\/(?= |$)/g, '\\/'))
    .join(LEVEL)

export const splitLevels = (text: string): string[] => text.split(LEVEL).map(unescaped)

const BETWEEN_TAGS = '|'

export const joinTags = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\|]/g, '\\$&')).join(BETWEEN_TAGS)

/** The tags of a cell; none of an empty one. */
export const splitTags = (text: string): string[] =>
  text === ''
    ? []
    : [...text.matchAll(/(?:^|\|)((?:[^\\|]|\\[^])*)/g)].map(([, name]) => unescaped(String(name)))

const unescaped = (text: string): string => text.replaceAll(/\\([^])/g, '$1')
