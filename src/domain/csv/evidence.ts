import {
  currencyIn,
  decimalOfAnyStyle,
  decimalUnder,
  markCollector,
  type CleanAmount,
  type MarkCollector,
  type MarkFindings,
} from '../bank-files/amounts.ts'
import { orderCollector, type OrderFindings } from '../bank-files/date-orders.ts'
import { negateDecimal, absoluteDecimal, type DecimalText } from '../bank-files/decimals.ts'
import type { Question, Reading, ColumnRole } from '../bank-files/format.ts'
import { findCurrency } from '../currency.ts'
import { balanceChain, type ChainFindings } from './chain.ts'
import type { CsvRecord } from './records.ts'
import { Roles } from './roles.ts'
import { directionInWord, isCardPayment, readHeading } from './words.ts'
import type { Columns } from './content.ts'

type Evidence = Question['evidence'][number]

const MAX_EVIDENCE = 5
const DATE_ROLES = ['date', 'valueDate'] as const
const BOOKED_ROLES = ['amount', 'debit', 'credit', 'fee'] as const
const OTHER_MONEY_ROLES = ['balance', 'originalAmount'] as const

type CleanAmounts = Partial<Record<ColumnRole, CleanAmount>>

export interface SignFindings {
  /** Amounts of one signed column. */
  amounts: number
  negative: number
  /** Negative ones whose text is that of a payment to a credit card. */
  payments: number
  /** Amounts that are written with a plus, or a word for a credit. */
  plus: number
  /** Other amounts without a sign. */
  unsigned: number
  /** Rows by what a column for their direction says. */
  directions: { in: number; out: number; blank: number }
  /** Positive amounts that a column says go out. */
  unsignedOut: number
  evidence: Evidence[]
  /** Amounts that have decimals. */
  decimals: number
}

/** Looks at each row of a file once, and gathers what decides how its dates and amounts are read. */
export const evidenceCollector = (
  columns: Columns,
  reading: Partial<Reading>,
  headings: readonly string[],
) => new EvidenceCollector(columns, reading, headings)

export type { EvidenceCollector }

class EvidenceCollector {
  readonly #columns: Columns
  readonly #roles: Roles
  readonly #decimal: Reading['decimal']
  /** The currency that the heading of the amounts names. */
  readonly #named: string | undefined
  /** The currency of rows that name none. */
  readonly #usual: string
  readonly #dates = orderCollector()
  readonly #marks = markCollector()
  /** Balances and amounts in other currencies may be written in another style. */
  readonly #otherMarks = markCollector()
  readonly #chain = balanceChain()
  readonly #currencies = new Set<string>()
  readonly #signs: SignFindings = {
    amounts: 0,
    negative: 0,
    payments: 0,
    plus: 0,
    unsigned: 0,
    directions: { in: 0, out: 0, blank: 0 },
    unsignedOut: 0,
    evidence: [],
    decimals: 0,
  }

  constructor(columns: Columns, reading: Partial<Reading>, headings: readonly string[]) {
    const [column] = columns.amount ?? columns.debit ?? columns.credit ?? []
    this.#columns = columns
    this.#roles = new Roles(columns)
    this.#decimal = reading.decimal
    this.#named = column === undefined ? undefined : readHeading(headings[column] ?? '').currency
    this.#usual = this.#named ?? reading.currency ?? reading.accountCurrency ?? ''
  }

  /** @returns the currency that the row names */
  add({ line, cells }: CsvRecord): string | undefined {
    for (const role of DATE_ROLES) {
      const text = this.#roles.first(cells, role)
      if (text !== '') {
        this.#dates.add(text, line)
      }
    }
    const currency = currencyIn(this.#roles.first(cells, 'currency')) ?? this.#named
    const clean = this.#cleanAmounts(cells, line, currency ?? this.#usual)
    if (clean.amount) {
      this.#addSign(clean.amount, cells, line)
    }
    const money = clean.amount ?? clean.debit ?? clean.credit
    if (money && this.#currencies.size < MAX_EVIDENCE) {
      this.#currencies.add(currency ?? money.currency ?? '')
    }
    if (this.#columns.balance) {
      this.#addToChain(cells, clean)
    }
    return currency ?? money?.currency
  }

  section(): void {
    this.#dates.section()
  }

  dates(): OrderFindings {
    return this.#dates.findings()
  }

  /** The decimal mark of the amounts; where they do not tell it, that of the other numbers. */
  marks(): MarkFindings {
    const [own, others] = [this.#marks.findings(), this.#otherMarks.findings()]
    const isStated = ({ mark, evidence }: MarkFindings) => mark !== undefined && evidence.length > 0
    if (isStated(own) || (own.mark === undefined && !isStated(others))) {
      return own
    }
    return others.evidence.length > 0 ? others : own
  }

  signs(): SignFindings {
    return this.#signs
  }

  chain(): ChainFindings {
    return this.#chain.findings()
  }

  /** The currency that all rows name. */
  currency(): string | undefined {
    const [only, ...others] = this.#currencies
    return others.length === 0 && only !== '' ? only : undefined
  }

  #cleanAmounts(cells: readonly string[], line: number, currency: string): CleanAmounts {
    const digits = findCurrency(currency)?.minorDigits
    const clean: CleanAmounts = {}
    const look = (role: ColumnRole, marks: MarkCollector) => {
      const text = this.#roles.first(cells, role)
      const found = text === '' ? undefined : marks.add(text, line, digits)
      if (found) {
        clean[role] = found
      }
    }
    BOOKED_ROLES.forEach((role) => look(role, this.#marks))
    OTHER_MONEY_ROLES.forEach((role) => look(role, this.#otherMarks))
    return clean
  }

  #addSign(clean: CleanAmount, cells: readonly string[], line: number): void {
    const signs = this.#signs
    const text = this.#roles.first(cells, 'amount')
    signs.amounts += 1
    signs.decimals += Number(/[.,]/.test(clean.digits))
    signs.plus += Number(clean.plus === true)
    signs.unsigned += Number(!clean.negative && clean.plus !== true && /[1-9]/.test(clean.digits))
    this.#addDirection(cells)
    if (clean.negative) {
      signs.negative += 1
      // Only where it is still possible that it matters: the words are many.
      const matters = signs.payments === signs.negative - 1 || signs.negative < signs.amounts / 4
      signs.payments += Number(matters && isCardPayment(this.#wordsOf(cells)))
    }
    if (signs.evidence.length < MAX_EVIDENCE) {
      signs.evidence.push({ line, raw: text })
    }
    if (!clean.negative && this.#isOut(cells)) {
      signs.unsignedOut += Number(/[1-9]/.test(clean.digits))
    }
  }

  #addDirection(cells: readonly string[]): void {
    const { directions } = this.#signs
    const word = this.#columns.direction ? this.#roles.first(cells, 'direction') : undefined
    const direction = word === '' ? 'blank' : directionInWord(word ?? '')
    if (direction !== undefined && direction !== 'neutral') {
      directions[direction] += 1
    }
  }

  #addToChain(cells: readonly string[], clean: CleanAmounts): void {
    const [debit, credit] = [this.#guess(clean.debit), this.#guess(clean.credit)]
    const single = this.#guess(clean.amount)
    const side = debit && debit !== '0' ? negateDecimal(absoluteDecimal(debit)) : credit
    const amount =
      single && this.#isOut(cells) ? negateDecimal(absoluteDecimal(single)) : (single ?? side)
    this.#chain.add(this.#roles.first(cells, 'account'), {
      amount,
      fee: this.#guess(clean.fee),
      balance: this.#guess(clean.balance, true),
    })
  }

  /** The amount under the mark that is likeliest so far; what it is for certain is known at the end only. */
  #guess(clean: CleanAmount | undefined, isOther = false): DecimalText | undefined {
    if (!clean) {
      return undefined
    }
    const mark = this.#decimal ?? this.#marks.likely()
    const found = isOther ? decimalOfAnyStyle(clean, mark) : decimalUnder(clean, mark)
    return 'amount' in found ? found.amount : undefined
  }

  /** True if a column says that the amount goes out. */
  #isOut(cells: readonly string[]): boolean {
    return (
      this.#columns.direction !== undefined &&
      directionInWord(this.#roles.first(cells, 'direction')) === 'out'
    )
  }

  #wordsOf(cells: readonly string[]): string {
    const { description = [], payee = [], type = [] } = this.#columns
    return [...description, ...payee, ...type].map((column) => cells[column] ?? '').join(' ')
  }
}

/** So many links of a chain of balances decide the sign. */
const LINKS_FOR_SIGN = 2
const MOSTLY = 0.8

/** The sign of one column of amounts, or the question that it leaves. */
export function decideSign(
  { negative, payments, amounts, plus, evidence }: SignFindings,
  chain: ChainFindings,
): { sign: 'asIs' | 'reversed' } | { question: Question } {
  if (chain.sign !== undefined && chain.links >= LINKS_FOR_SIGN) {
    return { sign: chain.sign }
  }
  const positive = amounts - negative
  const isCard =
    payments > 0 && ((payments === negative && positive >= negative) || positive / amounts > MOSTLY)
  if (amounts === 0 || (!isCard && (negative > 0 || plus > 0))) {
    return { sign: 'asIs' }
  }
  const question: Question = { key: 'sign', options: ['asIs', 'reversed'], evidence }
  return { question: isCard ? { ...question, suggestion: 'reversed' } : question }
}
