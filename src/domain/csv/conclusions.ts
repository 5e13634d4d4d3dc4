import type { Question, Reading, Survey } from '../bank-files/format.ts'
import { decideSign, type EvidenceCollector } from './evidence.ts'
import { hasRequiredColumns, type Layout } from './layout-decision.ts'
import type { CsvRecord, CsvDialect } from './records.ts'
import type { Columns } from './content.ts'

const MAX_SHOWN = 1_000

interface Gathered {
  known: Partial<Reading>
  dialect: CsvDialect
  layout: Layout
  evidence: EvidenceCollector
  /** The first rows. */
  opening: readonly CsvRecord[]
}

type Conclusion = Pick<Survey, 'reading' | 'questions' | 'found'>

/** Lists of one column are given as its number. */
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
      ...(layout.isOffered && { suggestion: JSON.stringify(asMapping(suggested)) }),
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
  const conclusions = new Conclusions(gathered)
  conclusions.settleLayout()
  conclusions.settleDates()
  conclusions.settleDecimal()
  conclusions.settleUnit()
  conclusions.settleSign()
  const { reading, questions, found } = conclusions
  return { reading, questions, found }
}

class Conclusions implements Conclusion {
  readonly reading: Reading
  readonly questions: Question[]
  readonly found: Survey['found'] = {}
  readonly #gathered: Gathered
  readonly #columns: Columns

  constructor(gathered: Gathered) {
    const { known, dialect, layout } = gathered
    const { profile, headerLine, skipLines, outsideIdentity } = layout
    this.#gathered = gathered
    this.#columns = withoutNeedlessDirection(gathered)
    this.questions = askColumns(gathered)
    this.reading = {
      ...profile?.reading,
      ...known,
      ...dialect,
      format: 'csv',
      headerLine,
      skipLines,
      outsideIdentity,
      ...(profile && { builtIn: profile.key }),
    }
  }

  settleLayout(): void {
    const { known, layout } = this.#gathered
    const { profile, headerLine } = layout
    this.#say('delimiter', known.delimiter === undefined ? 0.9 : 1)
    this.#say('headerLine', headerLine === 0 && known.headerLine === undefined ? 0.5 : 1)
    if (profile) {
      this.#say('builtIn', 1, [{ line: headerLine, raw: profile.name }])
    }
    if (hasRequiredColumns(this.#columns) && !layout.suggested) {
      this.reading.columns = asMapping(this.#columns)
      this.#say('columns', 1)
    }
  }

  settleDates(): void {
    const { known, evidence } = this.#gathered
    const dates = evidence.dates()
    const usual = this.reading.dateOrder
    const isOfFile = dates.dates === 0 || (usual !== undefined && dates.possible.includes(usual))
    if (known.dateOrder === undefined && !isOfFile) {
      // The bank may have changed how it writes days.
      delete this.reading.dateOrder
    }
    if (this.reading.dateOrder === undefined && dates.order !== undefined) {
      this.reading.dateOrder = dates.order
      this.#say('dateOrder', dates.byMonotony ? 0.8 : 1, dates.evidence)
    } else if (this.reading.dateOrder === undefined && dates.dates > 0) {
      this.questions.push({
        ...{ key: 'dateOrder', options: dates.possible, evidence: dates.evidence },
      })
    }
    if (dates.lacksYear) {
      this.#settleYear(dates.lastMonth)
    }
  }

  #settleYear(lastMonth: number | undefined): void {
    const { layout, opening } = this.#gathered
    const { year, month: named } = layout.facts
    if (year === undefined && this.reading.year === undefined) {
      const [column] = (layout.suggested ?? this.#columns).date as [number]
      const lines = opening.map(({ line, cells }) => ({ line, raw: cells[column] ?? '' }))
      this.questions.push({ key: 'year', options: [], evidence: lines })
      return
    }
    if (year !== undefined && this.reading.year === undefined) {
      this.reading.year = year
      this.#say('year', 1)
    }
    // Later months are of the year before, whoever says the year.
    const month = (this.reading.year === year ? named : undefined) ?? lastMonth
    if (month !== undefined) {
      this.reading.month = month
    }
  }

  settleDecimal(): void {
    const marks = this.#gathered.evidence.marks()
    if (this.reading.decimal !== undefined) {
      return
    }
    if (marks.mark === undefined) {
      this.questions.push({ key: 'decimal', options: ['.', ','], evidence: marks.evidence })
    } else {
      this.reading.decimal = marks.mark
      this.#say('decimal', marks.isMixed ? 0.6 : 1, marks.evidence)
    }
  }

  settleUnit(): void {
    const { evidence, layout } = this.#gathered
    if (layout.profile?.hasBothUnits !== true || this.reading.amountUnit !== undefined) {
      return
    }
    const { decimals, evidence: lines } = evidence.signs()
    if (decimals > 0) {
      this.reading.amountUnit = 'major'
    } else if (lines.length > 0) {
      this.questions.push({ key: 'amountUnit', options: ['major', 'minor'], evidence: lines })
    }
  }

  settleSign(): void {
    const { evidence, layout } = this.#gathered
    const chain = evidence.chain()
    const signs = evidence.signs()
    const { in: into, out, blank } = signs.directions
    if (blank > 0 && into > 0 && out === 0) {
      this.reading.blankDirection = 'out'
    }
    const hasWords = (layout.suggested ?? this.#columns).direction !== undefined
    if (!hasWords && signs.negative === 0 && signs.plus > 0 && signs.unsigned > 0) {
      this.reading.unsigned = 'out'
    }
    if (this.reading.fee === undefined && chain.fee !== undefined) {
      this.reading.fee = chain.fee
      this.#say('fee', 1)
    }
    if (this.reading.sign !== undefined) {
      return
    }
    const { debit, credit, direction } = layout.suggested ?? this.#columns
    const isStated = debit ?? credit ?? direction
    const decision =
      this.reading.unsigned === 'out' || isStated
        ? { sign: (this.reading.unsigned ? undefined : chain.sign) ?? ('asIs' as const) }
        : decideSign(signs, chain)
    if ('question' in decision) {
      this.questions.push(decision.question)
    } else {
      this.reading.sign = decision.sign
      this.#say('sign', chain.sign === undefined ? 0.9 : 1)
    }
  }

  #say(key: keyof Reading, confidence: number, lines: Question['evidence'] = []): void {
    this.found[key] = { confidence, evidence: lines.map(({ line, raw }) => `${line}: ${raw}`) }
  }
}
