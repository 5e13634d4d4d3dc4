import { currencyIn, decimalUnder, markCollector, type CleanAmount } from '../bank-files/amounts.ts'
import { orderCollector } from '../bank-files/date-orders.ts'
import { negateDecimal, absoluteDecimal, type DecimalText } from '../bank-files/decimals.ts'
import type { Question, Reading, Role } from '../bank-files/format.ts'
import { findCurrency } from '../currency.ts'
import { balanceChain, type ChainFindings } from './chain.ts'
import type { Columns } from './layout.ts'
import type { CsvRecord } from './records.ts'
import { directionOf, isCardPayment, readHeading } from './words.ts'

type Evidence = Question['evidence'][number]

const MAX_EVIDENCE = 5
const MONEY_ROLES = ['amount', 'debit', 'credit', 'balance', 'fee', 'originalAmount'] as const

export interface SignFindings {
  /** Amounts of one signed column. */
  amounts: number
  negative: number
  /** Negative ones whose text is that of a payment to a credit card. */
  payments: number
  /** Whether some amount is written with a plus, so that the others would have a minus. */
  hasPlus: boolean
  /** Positive amounts that a column says go out. */
  unsignedOut: number
  evidence: Evidence[]
}

/** Looks at each row of a file once, and gathers what decides how its dates and amounts are read. */
export function evidenceCollector(
  columns: Columns,
  reading: Partial<Reading>,
  headings: readonly string[],
) {
  const dates = orderCollector()
  const marks = markCollector()
  const chain = balanceChain()
  const currencies = new Set<string>()
  const signs: SignFindings = {
    amounts: 0,
    negative: 0,
    payments: 0,
    hasPlus: false,
    unsignedOut: 0,
    evidence: [],
  }
  const [moneyColumn] = columns.amount ?? columns.debit ?? columns.credit ?? []
  const named =
    moneyColumn === undefined ? undefined : readHeading(headings[moneyColumn] ?? '').currency
  const usual = named ?? reading.currency ?? reading.accountCurrency ?? ''
  const at = (cells: readonly string[], role: Role) => {
    const [column] = columns[role] ?? []
    return column === undefined ? '' : (cells[column] ?? '')
  }
  const texts = (cells: readonly string[]) =>
    [...(columns.description ?? []), ...(columns.payee ?? []), ...(columns.type ?? [])]
      .map((column) => cells[column] ?? '')
      .join(' ')

  /** The amount under the mark that is likeliest so far; what it is for certain is known at the end only. */
  function guess(clean: CleanAmount | undefined): DecimalText | undefined {
    if (!clean) {
      return undefined
    }
    const found = decimalUnder(clean, reading.decimal ?? marks.likely())
    return 'amount' in found ? found.amount : undefined
  }

  function addSign(clean: CleanAmount, cells: readonly string[], line: number) {
    const text = at(cells, 'amount')
    signs.amounts += 1
    signs.hasPlus ||= text.includes('+')
    if (clean.negative) {
      signs.negative += 1
      // Only where it is still possible that it matters: the words are many.
      const matters = signs.payments === signs.negative - 1 || signs.negative < signs.amounts / 4
      signs.payments += Number(matters && isCardPayment(texts(cells)))
    }
    if (signs.evidence.length < MAX_EVIDENCE) {
      signs.evidence.push({ line, raw: text })
    }
    if (columns.direction && !clean.negative && directionOf(at(cells, 'direction')) === 'out') {
      signs.unsignedOut += Number(/[1-9]/.test(clean.digits))
    }
  }

  function addToChain(cells: readonly string[], clean: Partial<Record<Role, CleanAmount>>) {
    const [debit, credit] = [guess(clean.debit), guess(clean.credit)]
    const single = guess(clean.amount)
    const isOut = columns.direction && directionOf(at(cells, 'direction')) === 'out'
    const side = debit && debit !== '0' ? negateDecimal(absoluteDecimal(debit)) : credit
    const amount = single && isOut ? negateDecimal(absoluteDecimal(single)) : (single ?? side)
    chain.add(at(cells, 'account'), {
      amount,
      fee: guess(clean.fee),
      balance: guess(clean.balance),
    })
  }

  return {
    add({ line, cells }: CsvRecord) {
      for (const role of ['date', 'valueDate'] as const) {
        const text = at(cells, role)
        if (text !== '') {
          dates.add(text, line)
        }
      }
      const currency = currencyIn(at(cells, 'currency')) ?? named
      const digits = findCurrency(currency ?? usual)?.minorDigits
      const clean: Partial<Record<Role, CleanAmount>> = {}
      for (const role of MONEY_ROLES) {
        const text = at(cells, role)
        const found = text === '' ? undefined : marks.add(text, line, digits)
        if (found) {
          clean[role] = found
        }
      }
      if (clean.amount) {
        addSign(clean.amount, cells, line)
      }
      const money = clean.amount ?? clean.debit ?? clean.credit
      if (money && currencies.size < MAX_EVIDENCE) {
        currencies.add(currency ?? money.currency ?? '')
      }
      if (columns.balance) {
        addToChain(cells, clean)
      }
    },
    section: () => dates.section(),
    dates: () => dates.findings(),
    marks: () => marks.findings(),
    signs: () => signs,
    chain: (): ChainFindings => chain.findings(),
    /** The currency that all rows name. */
    currency: () => {
      const [only, ...others] = currencies
      return others.length === 0 && only !== '' ? only : undefined
    },
  }
}

export type EvidenceCollector = ReturnType<typeof evidenceCollector>

/** So many links of a chain of balances decide the sign. */
const LINKS_FOR_SIGN = 2
const MOSTLY = 0.8

/** The sign of one column of amounts, or the question that it leaves. */
export function decideSign(
  { negative, payments, amounts, hasPlus, evidence }: SignFindings,
  chain: ChainFindings,
): { sign: 'asIs' | 'reversed' } | { question: Question } {
  if (chain.sign !== undefined && chain.links >= LINKS_FOR_SIGN) {
    return { sign: chain.sign }
  }
  const positive = amounts - negative
  const isCard =
    payments > 0 && ((payments === negative && positive >= negative) || positive / amounts > MOSTLY)
  if (amounts === 0 || (!isCard && (negative > 0 || hasPlus))) {
    return { sign: 'asIs' }
  }
  const question: Question = { key: 'sign', options: ['asIs', 'reversed'], evidence }
  return { question: isCard ? { ...question, suggestion: 'reversed' } : question }
}
