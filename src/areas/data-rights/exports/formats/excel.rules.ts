import { csvLine, guardCell } from '../../../../domain/csv/writing.ts'
import {
  NUMBER_COLUMNS,
  TABLE_COLUMNS,
  type TableLine,
} from '../../../money/transaction-views/transaction-views.public.ts'

/** The formats of numbers and dates of a language. */
interface ExcelStyle {
  separator: ',' | ';'
  decimalMark: '.' | ','
  dateOrder: ('year' | 'month' | 'day')[]
  dateMark: string
}

const SAMPLE_DAY = Date.UTC(2026, 10, 23)

/** @param locale a BCP 47 language tag */
export function excelStyle(locale: string): ExcelStyle {
  const numbers = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  const isComma = numbers.some(({ type, value }) => type === 'decimal' && value === ',')
  const days = new Intl.DateTimeFormat(locale, {
    ...{ calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  }).formatToParts(SAMPLE_DAY)
  const marks = days.flatMap(({ type, value }) =>
    type === 'literal' ? (value.match(/[./-]/)?.[0] ?? []) : [],
  )
  return {
    separator: isComma ? ';' : ',',
    decimalMark: isComma ? ',' : '.',
    dateOrder: days.flatMap(({ type }) =>
      type === 'year' || type === 'month' || type === 'day' ? [type] : [],
    ),
    dateMark: marks[0] ?? '-',
  }
}

export const excelHeader = ({ separator }: ExcelStyle): string =>
  `\ufeff${separator === ';' ? 'sep=;\r\n' : ''}${csvLine(TABLE_COLUMNS, separator)}`

/** @param keepDigits whether ids of digits are formulas, so that no program takes them for numbers */
export const excelOf = (line: TableLine, style: ExcelStyle, keepDigits: boolean): string =>
  csvLine(
    TABLE_COLUMNS.map((column) => {
      const value = line[column] ?? ''
      if (NUMBER_COLUMNS.has(column)) {
        return value.replace('.', style.decimalMark)
      }
      if (column === 'date') {
        return dateIn(value, style)
      }
      return keepDigits && column === 'externalId' && /^\d+$/.test(value)
        ? `="${value}"`
        : guardCell(value)
    }),
    style.separator,
  )

function dateIn(date: string, { dateOrder, dateMark }: ExcelStyle): string {
  const [year = '', month = '', day = ''] = date.split('-')
  const parts = { year, month, day }
  return dateOrder.map((part) => parts[part]).join(dateMark)
}
