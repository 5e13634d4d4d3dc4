import { recogniseFormats } from '../../../../domain/bank-files/formats.ts'
import type { Mapping } from '../imports.rules.ts'

/** The settings that depend on the layout of a file. For a file of another layout they would be wrong. */
const OF_LAYOUT: ReadonlySet<string> = new Set([
  ...['format', 'builtIn', 'columns', 'headerLine', 'skipLines', 'delimiter', 'quote'],
])

interface Layout {
  format: string | undefined
  /** Headings, or kinds of columns. */
  shape: string[]
}

/** The layout of a file, by its first part. */
function layoutOf(head: string): Layout {
  const format = recogniseFormats(head)[0]?.format
  const surveyor = format?.key === 'csv' ? format.survey({}) : undefined
  surveyor?.push(head)
  return { format: format?.key, shape: surveyor?.end().shape ?? [] }
}

/** The settings that were chosen for a file, without those that do not fit the file that replaces it. */
export function chosenFor(
  before: { chosen: string; mapping: string; shape: string },
  head: string,
): string {
  const chosen = JSON.parse(before.chosen) as Mapping
  const isOfLayout = Object.keys(chosen).some((field) => OF_LAYOUT.has(field))
  if (!isOfLayout) {
    return before.chosen
  }
  const { format, shape } = layoutOf(head)
  const isSame = format === (JSON.parse(before.mapping) as Mapping).format
  if (isSame && JSON.stringify(shape) === before.shape) {
    return before.chosen
  }
  return JSON.stringify(
    Object.fromEntries(Object.entries(chosen).filter(([field]) => !OF_LAYOUT.has(field))),
  )
}
