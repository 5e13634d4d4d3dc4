import { camt } from '../camt/camt.ts'
import { csvFormat } from '../csv/csv.ts'
import { coffer } from '../coffer/coffer.ts'
import { mt940 } from '../mt940/mt940.ts'
import { ofx } from '../ofx/ofx.ts'
import { qif } from '../qif/qif.ts'
import { ynab } from '../ynab/ynab.ts'
import type { FileFormat, FormatKey } from './format.ts'

/** Characters at the beginning of a file that identify its format. */
export const HEAD_LENGTH = 65_536

/** All formats, those with a mark of their own first. */
export const formats: readonly FileFormat[] = [camt, ofx, qif, mt940, coffer, ynab, csvFormat]

export const formatOf = (key: FormatKey): FileFormat | undefined =>
  formats.find((format) => format.key === key)

/** A format that could be that of a file, and how likely. */
export interface Recognised {
  format: FileFormat
  confidence: number
}

/**
 * The formats that a file could have which begins so, the likeliest first. Much looks like CSV, which has no mark of its
 * own, so it is none of them where another format is certain.
 */
export function recogniseFormats(text: string): Recognised[] {
  const head = text.slice(0, HEAD_LENGTH)
  const found = formats
    .map((format) => ({ format, confidence: format.recognises(head) }))
    .filter(({ confidence }) => confidence > 0)
    .toSorted((a, b) => b.confidence - a.confidence)
  const isCertain = found.some(({ confidence }) => confidence === 1)
  return isCertain ? found.filter(({ format }) => format !== csvFormat) : found
}
