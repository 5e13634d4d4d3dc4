import { BankIds } from '../bank-files/bank-ids.ts'
import type { FileFormat, Reading, SourceReader } from '../bank-files/format.ts'
import { Items } from '../bank-files/items.ts'
import { type Line, LineCutter } from '../bank-files/lines.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { FieldReader } from './fields.ts'
import { Messages } from './messages.ts'

/** Statements (MT940) and interim reports (MT942) of SWIFT. */
export const mt940: FileFormat = {
  key: 'mt940',
  recognises: (head) => {
    if (!/^(?:.*\{4:)?:20:/m.test(head)) {
      return 0
    }
    return /^:(?:60[FM]|61|28C?|25P?):/m.test(head) ? 1 : 0.5
  },
  survey: (known) => surveyByReading('mt940', known, newReader),
  read: (reading, survey) => newReader(reading, new BankIds(survey?.repeatedIds ?? [])),
}

function newReader(reading: Reading, ids: BankIds): SourceReader {
  const items = new Items(reading)
  const lines = new LineCutter()
  const fields = new FieldReader()
  const messages = new Messages(items, ids)
  const take = (read: Line[]) => {
    for (const line of read) {
      fields.push(line).forEach((token) => messages.take(token))
    }
  }
  return {
    push: (text) => {
      take(lines.push(text))
      return items.take()
    },
    end: () => {
      take(lines.end())
      fields.end().forEach((token) => messages.take(token))
      messages.end()
      return items.take()
    },
  }
}
