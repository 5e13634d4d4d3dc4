import { findCurrency } from '../currency.ts'
import { markCollector } from '../bank-files/amounts.ts'
import { orderCollector } from '../bank-files/date-orders.ts'
import { dateReader } from '../bank-files/dates.ts'
import {
  type FileFormat,
  type Question,
  type Reading,
  type SourceReader,
  type Survey,
  type Surveyor,
  bankFileErrors,
} from '../bank-files/format.ts'
import { Items } from '../bank-files/items.ts'
import { put } from '../bank-files/rows.ts'
import type { SourceAccount, SourceRow, SourceStatement } from '../bank-files/source.ts'
import { SAMPLE_ROWS, surveyByReading } from '../bank-files/surveys.ts'
import { TransferPairs } from '../bank-files/transfer-pairs.ts'
import {
  qifAmount,
  dateOf,
  qifField,
  type QifRecord,
  QifRecords,
  type QifToken,
} from './records.ts'
import { type QifContext, rowOfOther, rowOfRecord } from './rows.ts'

/** Quicken Interchange Format. */
export const qif: FileFormat = {
  key: 'qif',
  recognises: (head) => {
    if (/^\s*!(?:type:|account|option:|clear:)/i.test(head)) {
      return 1
    }
    return /^!(?:type:|account|option:|clear:)/im.test(head) ? 0.8 : 0
  },
  survey: (known) => newSurveyor(known),
  read: (reading) => newReader(reading),
}

/** Sections whose records are bookings. */
const BOOKINGS = new Set(['bank', 'cash', 'ccard', 'oth a', 'oth l'])
/** Sections that name categories and tags; records of transactions name them again. */
const NAMES = new Set(['cat', 'class', 'tag'])

/** The order of dates and the mark of decimals are one for all sections. */
function newSurveyor(known: Partial<Reading>): Surveyor {
  const orders = orderCollector()
  const marks = markCollector()
  const digits = findCurrency(known.currency ?? known.accountCurrency ?? '')?.minorDigits
  const records = new QifRecords()
  const sample: string[][] = []
  const note = (tokens: QifToken[]) => {
    for (const token of tokens) {
      if (token.is === 'header') {
        orders.section()
      } else if (BOOKINGS.has(token.record.section)) {
        orders.add(dateOf(token.record), token.record.line)
        marks.add(qifAmount(token.record), token.record.line, digits)
        if (sample.length < SAMPLE_ROWS) {
          sample.push(cellsOf(token.record))
        }
      }
    }
  }
  // Accounts, and what cannot be read at all, do not depend on either.
  const reading = surveyByReading('qif', known, newReader)
  return {
    push: (text) => {
      note(records.push(text))
      reading.push(text)
    },
    end: () => {
      note(records.end())
      const survey = { ...reading.end(), sample }
      return withFindings(survey, known, { order: orders.findings(), mark: marks.findings() })
    },
  }
}

/** Returns the cells as they are written, because the order of dates may not be known yet. */
const cellsOf = (record: QifRecord) => [
  dateOf(record),
  qifAmount(record),
  qifField(record, 'P'),
  qifField(record, 'M'),
]

interface Findings {
  order: ReturnType<ReturnType<typeof orderCollector>['findings']>
  mark: ReturnType<ReturnType<typeof markCollector>['findings']>
}

function withFindings(survey: Survey, known: Partial<Reading>, { order, mark }: Findings): Survey {
  const reading = { ...survey.reading }
  const questions: Question[] = []
  if (known.dateOrder === undefined && order.dates > 0) {
    if (order.order === undefined) {
      const { possible: options, evidence } = order
      questions.push({ key: 'dateOrder', options, evidence })
    } else {
      reading.dateOrder = order.order
    }
  }
  if (known.decimal === undefined && mark.amounts > 0) {
    if (mark.mark === undefined) {
      questions.push({ key: 'decimal', options: ['.', ','], evidence: mark.evidence })
    } else {
      reading.decimal = mark.mark
    }
  }
  const found: Survey['found'] = { ...survey.found }
  const lines = (evidence: Question['evidence']) => evidence.map(({ raw }) => raw)
  put(found, 'dateOrder', {
    confidence: order.byMonotony ? 0.9 : 1,
    evidence: lines(order.evidence),
  })
  put(found, 'decimal', { confidence: mark.isMixed ? 0.5 : 1, evidence: lines(mark.evidence) })
  return { ...survey, reading, questions, found }
}

function newReader(reading: Reading): SourceReader {
  const items = new Items(reading)
  const records = new QifRecords()
  const sections = new Sections(items, reading)
  return {
    push: (text) => {
      records.push(text).forEach((token) => sections.take(token))
      return items.take()
    },
    end: () => {
      records.end().forEach((token) => sections.take(token))
      if (!records.hasHeader) {
        throw bankFileErrors.malformed({ format: 'QIF', reason: 'it holds no section' })
      }
      sections.end()
      return items.take()
    },
  }
}

/** Makes accounts and rows of sections. */
class Sections {
  readonly #items: Items
  readonly #context: Omit<QifContext, 'isFirst'>
  /** The accounts that have a row. */
  readonly #begun = new Set<string>()
  /** The accounts of a list between `!Option:AutoSwitch` and `!Clear:AutoSwitch`. */
  #listed = 0
  readonly #ignored = new Map<string, number>()

  constructor(items: Items, { dateOrder = 'MDY', decimal = '.' }: Reading) {
    this.#items = items
    this.#context = {
      account: '',
      mark: decimal,
      readDate: dateReader(dateOrder),
      pairs: new TransferPairs(),
    }
  }

  take(token: QifToken): void {
    if (token.is === 'header') {
      this.#takeHeader(token.header)
      return
    }
    const { record } = token
    if (record.section === 'account') {
      this.#takeAccount(record)
    } else if (BOOKINGS.has(record.section)) {
      this.#takeBooking(record)
    } else if (!NAMES.has(record.section)) {
      this.#takeOther(record)
    }
  }

  end(): void {
    for (const [section, records] of this.#ignored) {
      this.#items.warn({ code: 'sectionIgnored', section, records })
    }
  }

  #takeHeader(header: string): void {
    // Behind a list of several accounts, none of them is the one of what follows.
    if (header.startsWith('clear:autoswitch') && this.#listed > 1) {
      this.#context.account = ''
    }
    this.#listed = 0
  }

  #takeAccount(record: QifRecord): void {
    const account: SourceAccount = { key: qifField(record, 'N') }
    put(account, 'name', account.key)
    put(account, 'type', qifField(record, 'T'))
    this.#items.account(account)
    this.#context.account = account.key
    this.#listed += 1
  }

  #takeBooking(record: QifRecord): void {
    const { account } = this.#context
    this.#items.account(account === '' ? { key: '' } : { key: account, name: account })
    const row = rowOfRecord(record, { ...this.#context, isFirst: !this.#begun.has(account) })
    this.#begun.add(account)
    for (const other of [row.transfer?.account, ...row.parts.map(({ transfer }) => transfer)]) {
      if (other !== undefined) {
        this.#items.account({ key: other, name: other })
      }
    }
    if (row.ignored === 'opening') {
      this.#sayOpening(row)
    }
    if (record.cut !== undefined) {
      this.#items.warn({ code: 'lastRecordCut', line: record.line })
    }
    this.#items.row(row)
  }

  /** The opening balance is the statement that the section is. */
  #sayOpening(row: SourceRow): void {
    const statement: SourceStatement = {
      account: row.account,
      evidence: [],
      pages: 1,
      interim: false,
    }
    put(statement, 'opening', row.amount)
    put(statement, 'openingDate', row.date)
    this.#items.endStatement(this.#items.statement(statement), statement)
  }

  #takeOther(record: QifRecord): void {
    const { section } = record
    this.#ignored.set(section, (this.#ignored.get(section) ?? 0) + 1)
    this.#items.account({ key: this.#context.account })
    this.#items.row(rowOfOther(record, this.#context.account))
  }
}
