import { fromUnits } from '../../../src/domain/bank-files/decimals.ts'
import type { Random } from '../../support/random.ts'

const WORDS = [
  'Market',
  'Café',
  'Ünal & Söhne',
  'O’Brien',
  'Łódź',
  '東京',
  'a;b',
  'a,b',
  'a\tb',
  'say "hi"',
  '=1+1',
  "d'Or",
  '#5',
]
const ENDS = ['\n', '\r\n', '\r', '\r\r\n']
const two = (value: number) => String(value).padStart(2, '0')

export interface Expected {
  line: number
  booked: string
  description: string | undefined
}

interface Style {
  delimiter: string
  decimal: '.' | ','
  end: string
  order: 'DMY' | 'MDY' | 'YMD'
}

function styleOf(next: Random['below']): Style {
  const delimiter = [',', ';', '\t', '|'][next(4)] as string
  return {
    delimiter,
    decimal: next(2) === 0 ? '.' : ',',
    end: ENDS[next(ENDS.length)] as string,
    order: (['DMY', 'MDY', 'YMD'] as const)[next(3)] as 'DMY',
  }
}

/** A file, and what has to be read from it. */
export function generate(next: Random['below'], count: number) {
  const { delimiter, decimal, end, order } = styleOf(next)
  const text: string[] = []
  const expected: Expected[] = []
  let line = 1

  const put = (record: string) => {
    text.push(record, end)
    line += record.split(/\r\n?|\n/).length
  }
  const quoted = (cell: string) => `"${cell.replaceAll('"', next(2) === 0 ? '""' : '\\"')}"`
  const written = (cell: string) => {
    const must = /["\r\n]/.test(cell) || cell.includes(delimiter)
    return must || next(4) === 0 ? quoted(cell) : `${next(5) === 0 ? ' ' : ''}${cell}`
  }
  const join = (...cells: string[]) => cells.map(written).join(delimiter)

  function dateOf() {
    const [year, month, day] = [2020 + next(5), 1 + next(12), 1 + next(28)]
    const iso = `${year}-${two(month)}-${two(day)}`
    const shown = {
      DMY: `${two(day)}.${two(month)}.${year}`,
      MDY: `${two(month)}/${two(day)}/${year}`,
      YMD: iso,
    }[order]
    return { iso, shown }
  }

  /** Never three digits behind a lone mark, which would leave the mark open; grouped now and then. */
  function amountOf() {
    const cents = next(1_000_000) - 500_000 || 1
    const amount = fromUnits(BigInt(cents), 2)
    const units = Math.floor(Math.abs(cents) / 100)
    const group = decimal === '.' ? ',' : '.'
    const whole = next(3) === 0 ? String(units).replace(/\B(?=(\d{3})+$)/g, group) : String(units)
    const digits = `${whole}${decimal}${two(Math.abs(cents) % 100)}`
    const signed = [
      cents < 0 ? `-${digits}` : digits,
      cents < 0 ? `(${digits})` : `+${digits}`,
      cents < 0 ? `${digits}-` : digits,
      cents < 0 ? `- € ${digits}` : `${digits} EUR`,
    ][next(4)] as string
    return { amount, signed }
  }

  put(join('Account details for:', 'Checking 12-34'))
  put('')
  put(['Date', 'Description', 'Amount', 'Note'].map(quoted).join(delimiter))
  // Values that leave no doubt, whatever chance brings.
  const sure = { DMY: '31.12.2024', MDY: '12/31/2024', YMD: '2024-12-31' }[order]
  expected.push({ line, booked: '2024-12-31 -1000.5', description: 'Sure' })
  put(join(sure, 'Sure', decimal === '.' ? '-1,000.50' : '-1.000,50', ''))

  const word = () => WORDS[next(WORDS.length)] as string
  for (let index = 0; index < count; index += 1) {
    const { iso, shown } = dateOf()
    const { amount, signed } = amountOf()
    const name = `${word()} ${index}`
    const at = line
    const say = (result: string, description: string | null = name) =>
      expected.push({ line: at, booked: result, description: description ?? undefined })
    const kind = next(20)
    if (kind === 0) {
      say('empty', null)
      put('')
    } else if (kind === 1) {
      say('dateInvalid')
      put(join('99.99.9999', name, signed, ''))
    } else if (kind === 2) {
      say('money.malformed')
      put(join(shown, name, '12x50', ''))
    } else if (kind === 3) {
      say('tooFewFields', null)
      put(join(shown, name))
    } else if (kind === 4) {
      say('zero')
      put(join(shown, name, `0${decimal}00`, ''))
    } else if (kind === 5) {
      say(`${iso} ${amount}`, `${name} and more`)
      put(join(shown, name, signed, ''))
      put(join('', 'and more', '', ''))
    } else if (kind === 6) {
      const long = `first line${end === '\r' ? '\r' : '\n'}second ${name}`
      say(`${iso} ${amount}`, long)
      put(`${shown}${delimiter}${quoted(long)}${delimiter}${quoted(signed)}${delimiter}`)
    } else if (kind === 7) {
      say('opening', 'Opening balance')
      put(join(shown, 'Opening balance', signed, ''))
    } else if (kind === 8) {
      say(`${iso} ${amount}`)
      put(`${join(shown, name, signed, '')}${delimiter.repeat(3)}`)
    } else {
      say(`${iso} ${amount}`)
      put(join(shown, name, signed, word()))
    }
  }
  return { text: text.join(''), expected, style: { delimiter, decimal, end, order } }
}
