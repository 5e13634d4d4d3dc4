import type { FileFormat } from '../bank-files/format.ts'
import { isJournal } from '../bank-files/journals.ts'
import { chooseDialect } from './dialect.ts'
import { findHeading } from './layout.ts'
import { recordReader } from './records.ts'
import { csvReader } from './reader.ts'
import { csvSurveyor } from './survey.ts'

const HEAD_LENGTH = 16_384
const HEAD_RECORDS = 50

// oxlint-disable-next-line no-control-regex -- these are what text has not
const CONTROLS = /[\u0000-\u0008\u000e-\u0019\u001b-\u001f]/g

/** Tells whether these are the bytes of a picture, an archive or a program: a bank's text has a stray control at most. */
const isBinary = (text: string): boolean =>
  text.startsWith('%PDF-') || (text.match(CONTROLS)?.length ?? 0) > text.length / 100 + 1

/** JSON and XML have commas and words enough to pass for a table. */
const DOCUMENT = /^\s*(?:\{|<\?xml)/i

/** CSV of banks and of other programs, whatever the delimiter, the language and the order of the columns. */
export const csvFormat: FileFormat = {
  key: 'csv',
  recognises(head) {
    const text = head.slice(0, HEAD_LENGTH)
    if (isBinary(text) || isJournal(text)) {
      return 0
    }
    const { fits, ...dialect } = chooseDialect(text, {})
    if (fits === 0) {
      return 0
    }
    if (DOCUMENT.test(text)) {
      return 0.2
    }
    const reader = recordReader(dialect, HEAD_RECORDS)
    const records = [...reader.push(text), ...reader.end()].slice(0, HEAD_RECORDS)
    if (findHeading(records) !== -1) {
      return 0.9
    }
    return fits * 2 > records.length ? 0.5 : 0.2
  },
  survey: csvSurveyor,
  read: csvReader,
}
