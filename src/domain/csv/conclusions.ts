import type { Question, Reading, Survey } from '../bank-files/format.ts'
import { decideSign, type EvidenceCollector } from './evidence.ts'
import { isComplete, type Layout } from './layout-decision.ts'
import type { Columns } from './layout.ts'
import type { CsvRecord, Dialect } from './records.ts'

const MAX_SHOWN = 1_000

interface Gathered {
  known: Partial<Reading>
  dialect: Dialect
  layout: Layout
  evidence: EvidenceCollector
  /** The first rows. */
  opening: readonly CsvRecord[]
}

type Conclusion = Pick<Survey, 'reading' | 'questions' | 'found'>

/** Lists of one column are told as its number. */
const asMapping = (columns: Columns): NonNullable<Reading['columns']> =>
  Object.fromEntries(
    Object.entries(columns).map(([role, list]) => [role, list.length === 1 ? list[0] : list]),
  )

/** The columns are asked for where the headings do not name a date and an amount. */
function askColumns({ layout, dialect, opening }: Gathered): Question[] {
  const { suggested, headings } = layout
  if (!suggested) {
    return []
  }
  const numbers = opening[0]?.cells.map((_, index) => String(index)) ?? []
  return [
    {
      key: 'columns',
      options: headings.length > 0 ? headings : numbers,
      evidence: opening.map(({ line, cells }) => ({
        line,
        raw: cells.join(dialect.delimiter).slice(0, MAX_SHOWN),
      })),
      suggestion: JSON.stringify(asMapping(suggested)),
    },
  ]
}

/** Amounts that have signs of their own need no word that says the direction once more. */
function withoutNeedlessDirection({ known, layout, evidence }: Gathered): Columns {
  const { columns, profile } = layout
  const { negative, unsignedOut } = evidence.signs()
  if (known.columns || profile || !columns.direction || negative === 0 || unsignedOut > 0) {
    return columns
  }
  const { direction, ...rest } = columns
  return { type: direction, ...rest }
}

/** Draws the conclusions from everything that was gathered, and lists the questions that stay open. */
export function conclude(gathered: Gathered): Conclusion {
  const { known, dialect, layout, evidence, opening } = gathered
  const { profile, facts, headerLine, skipLines, outsideIdentity } = layout
  const columns = withoutNeedlessDirection(gathered)
  const questions = askColumns(gathered)
  const found: Survey['found'] = {}
  const reading: Reading = {
    ...profile?.reading,
    ...known,
    ...dialect,
    format: 'csv',
    headerLine,
    skipLines,
    outsideIdentity,
    ...(profile && { builtIn: profile.key }),
  }
  const say = (key: keyof Reading, confidence: number, lines: Question['evidence'] = []) => {
    found[key] = { confidence, evidence: lines.map(({ line, raw }) => `${line}: ${raw}`) }
  }

  function settleDates() {
    const dates = evidence.dates()
    if (reading.dateOrder === undefined && dates.order !== undefined) {
      reading.dateOrder = dates.order
      say('dateOrder', dates.byMonotony ? 0.8 : 1, dates.evidence)
    } else if (reading.dateOrder === undefined && dates.dates > 0) {
      questions.push({ key: 'dateOrder', options: dates.possible, evidence: dates.evidence })
    }
    if (!dates.lacksYear || reading.year !== undefined) {
      return
    }
    if (facts.year === undefined) {
      const [column] = (layout.suggested ?? columns).date as [number]
      const lines = opening.map(({ line, cells }) => ({ line, raw: cells[column] ?? '' }))
      questions.push({ key: 'year', options: [], evidence: lines })
      return
    }
    reading.year = facts.year
    say('year', 1)
    if (facts.month !== undefined) {
      reading.month = facts.month
    }
  }

  function settleDecimal() {
    const marks = evidence.marks()
    if (reading.decimal !== undefined) {
      return
    }
    if (marks.mark === undefined) {
      questions.push({ key: 'decimal', options: ['.', ','], evidence: marks.evidence })
    } else {
      reading.decimal = marks.mark
      say('decimal', marks.isMixed ? 0.6 : 1, marks.evidence)
    }
  }

  function settleSign() {
    const chain = evidence.chain()
    if (reading.fee === undefined && chain.fee !== undefined) {
      reading.fee = chain.fee
      say('fee', 1)
    }
    if (reading.sign !== undefined) {
      return
    }
    const isTold = columns.debit ?? columns.credit ?? columns.direction
    const decision = isTold
      ? { sign: chain.sign ?? ('asIs' as const) }
      : decideSign(evidence.signs(), chain)
    if ('question' in decision) {
      questions.push(decision.question)
    } else {
      reading.sign = decision.sign
      say('sign', chain.sign === undefined ? 0.9 : 1)
    }
  }

  say('delimiter', known.delimiter === undefined ? 0.9 : 1)
  say('headerLine', headerLine === 0 && known.headerLine === undefined ? 0.5 : 1)
  if (profile) {
    say('builtIn', 1, [{ line: headerLine, raw: profile.name }])
  }
  if (isComplete(columns) && !layout.suggested) {
    reading.columns = asMapping(columns)
    say('columns', 1)
  }
  settleDates()
  settleDecimal()
  settleSign()
  return { reading, questions, found }
}
