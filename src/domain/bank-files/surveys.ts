import type { FormatKey, Reading, SourceReader, Survey, Surveyor } from './format.ts'
import type { SourceAccount, SourceItem, SourceRow } from './source.ts'
import { BankIds } from './bank-ids.ts'

/** Rows that are shown before anything is decided. */
export const SAMPLE_ROWS = 20

/** Surveys a format that says everything itself: it is read once, and what it says is counted. */
export function surveyByReading(
  format: FormatKey,
  known: Partial<Reading>,
  reader: (reading: Reading, ids: BankIds) => SourceReader,
): Surveyor {
  const reading: Reading = { ...known, format }
  const ids = new BankIds()
  const source = reader(reading, ids)
  const accounts: SourceAccount[] = []
  const lines = new Map<string, number>()
  const sample: string[][] = []
  const note = (items: SourceItem[]) => {
    for (const item of items) {
      if (item.is === 'account') {
        accounts.push(item.account)
      }
      if (item.is === 'row' && !lines.has(item.row.account)) {
        lines.set(item.row.account, item.row.line)
      }
      if (item.is === 'row' && sample.length < SAMPLE_ROWS) {
        sample.push(cellsOf(item.row))
      }
    }
  }
  return {
    push: (text) => note(source.push(text)),
    finish: () => {
      const items = source.finish?.()
      note(items ?? [])
      return items !== undefined
    },
    end: (): Survey => {
      note(source.end())
      return {
        reading,
        questions: [],
        accounts: accounts.map((one) => withLine(one, lines.get(one.key))),
        found: { format: { confidence: 1, evidence: [] } },
        shape: [],
        sample,
        repeatedIds: ids.repeated(),
      }
    },
  }
}

/** An account with the line of its first row. */
export const withLine = (account: SourceAccount, line: number | undefined): SourceAccount =>
  line === undefined ? account : { ...account, line }

const cellsOf = ({ date = '', amount = '', payeeRaw = '', description = '' }: SourceRow) => [
  date,
  amount,
  payeeRaw,
  description,
]
