import { joinLines } from './fields.ts'

/** The content of a `:86:`, whatever style the bank uses. */
export interface Information {
  payee: string
  text: string
  account: string
  metadata: Record<string, string>
}

/** `166?00GUTSCHRIFT?20SVWZ+…`, with another character instead of `?` in Austria and elsewhere. */
const CODED = /^([0-9]{3})([?>@~+])(?=[0-9]{2})/
const SEPA = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+/
const SLASHED =
  /\/(EREF|TRTP|IBAN|BIC|NAME|REMI|CNTP|ISDT|BENM|ORDP|PT|PY|MARF|CSID|RTRN|PREF|SVCL|PURP|ULTD|ULTB)\//
const LISTED = /^[^;:]{0,60};\s*[\p{L} .]{2,30}:/u

/** Reads the lines of all `:86:` of one row. */
export function readInformation(fields: readonly (readonly string[])[]): Information {
  const lines = fields.flat()
  const coded = CODED.exec(lines[0] ?? '')
  if (coded) {
    return readCoded(fields, coded[1] as string, coded[2] as string)
  }
  const text = joinLines(lines)
  if (text.startsWith('/') && SLASHED.test(text)) {
    return readSlashed(text)
  }
  return LISTED.test(text) ? readListed(text) : { payee: '', text, account: '', metadata: {} }
}

/** The names that rows give to what banks of Germany and Austria code. */
const CODES: Record<string, string> = {
  '00': 'bookingText',
  '10': 'batchNumber',
  '30': 'counterBank',
  '34': 'textKey',
}

function readCoded(
  fields: readonly (readonly string[])[],
  code: string,
  mark: string,
): Information {
  // A line ends anywhere, also in the middle of a part.
  const whole = fields
    .map((lines) => lines.map((line, at) => separator(lines, at, mark) + line).join(''))
    .join(' ')
  const parts = new Map<string, string>()
  const written = (key: string) => parts.get(key) ?? ''
  let last = ''
  for (const part of whole.slice(4).split(mark)) {
    if (/^[0-9]{2}/.test(part)) {
      last = part.slice(0, 2)
      parts.set(last, written(last) + part.slice(2))
    } else {
      // The mark was a character of the text.
      parts.set(last, written(last) + mark + part)
    }
  }
  const texts = [...parts.keys()].filter((key) => /^(?:2[0-9]|6[0-3])$/.test(key))
  const metadata: Record<string, string> = {}
  const { text, tags } = readSepa(joinLines(texts.map(written), 27), metadata)
  for (const [key, meaning] of Object.entries(CODES)) {
    set(metadata, meaning, written(key).trim())
  }
  set(metadata, 'transactionCode', code)
  set(metadata, 'counterBank', written('30').trim() || tags.get('BIC'))
  return {
    payee:
      joinLines([written('32'), written('33')], 27) || tags.get('ABWA') || tags.get('ABWE') || '',
    text,
    account: written('31').trim() || (tags.get('IBAN') ?? ''),
    metadata,
  }
}

/** Between lines of a coded text: nothing where a part begins, or the line above is full. */
function separator(lines: readonly string[], at: number, mark: string): string {
  const above = lines[at - 1]
  const isJoined = above === undefined || above.length >= 65 || lines[at]?.startsWith(mark)
  return isJoined === true ? '' : ' '
}

/** The tags of SEPA in a text, by the names that rows give them. */
const SEPA_NAMES: Record<string, string> = {
  EREF: 'endToEndId',
  MREF: 'mandateId',
  CRED: 'creditorId',
  DEBT: 'debtorId',
  KREF: 'customerReference',
  PURP: 'purpose',
}

function readSepa(
  written: string,
  metadata: Record<string, string>,
): { text: string; tags: Map<string, string> } {
  const [before, ...tagged] = written.split(SEPA) as [string, ...string[]]
  const tags = pairsOf(tagged)
  for (const [tag, name] of Object.entries(SEPA_NAMES)) {
    set(metadata, name, tags.get(tag))
  }
  const text = [before.trim(), tags.get('SVWZ')].filter(Boolean).join(' ')
  return { text, tags }
}

/** Words and what follows each, as `split` gives them; what comes again is appended. */
function pairsOf(list: readonly string[]): Map<string, string> {
  const pairs = new Map<string, string>()
  for (let at = 0; at < list.length; at += 2) {
    const key = list[at] as string
    const value = (list[at + 1] as string).trim()
    pairs.set(key, [pairs.get(key), value].filter(Boolean).join(' '))
  }
  return pairs
}

const SLASHED_NAMES: Record<string, string> = {
  EREF: 'endToEndId',
  MARF: 'mandateId',
  CSID: 'creditorId',
  PREF: 'customerReference',
  TRTP: 'bookingText',
  PT: 'paymentType',
  RTRN: 'returnReason',
  PURP: 'purpose',
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/…/NAME/…/REMI/…`. */
function readSlashed(written: string): Information {
  const [before, ...tagged] = written.split(SLASHED) as [string, ...string[]]
  const words = pairsOf(tagged.map((part, at) => (at % 2 === 0 ? part : withoutSlashes(part))))
  const metadata: Record<string, string> = {}
  for (const [word, name] of Object.entries(SLASHED_NAMES)) {
    set(metadata, name, words.get(word))
  }
  // Account, bank, name and place of the other party.
  const [account = '', bank = '', name = ''] = words.get('CNTP')?.split('/') ?? []
  set(metadata, 'counterBank', words.get('BIC') || bank)
  const remittance = (words.get('REMI') ?? '').replace(/^(?:USTD\/*|STRD\/(?:CUR|ISO)\/)/, '')
  return {
    payee: words.get('NAME') || name || words.get('BENM') || words.get('ORDP') || '',
    text: [before, remittance, words.get('PY')].filter(Boolean).join(' ').trim(),
    account: words.get('IBAN') || account,
    metadata,
  }
}

/** Not by a pattern: it would look at each slash of a long run again and again. */
function withoutSlashes(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '/') {
    start += 1
  }
  while (end > start && text[end - 1] === '/') {
    end -= 1
  }
  return text.slice(start, end)
}

/** Folded headings of the lists of banks in Poland. */
const HEADINGS: Record<string, 'payee' | 'account' | 'text'> = {
  ...headings('payee', 'od;dla;nadawca;odbiorca;nazwa;kontrahent;name'),
  ...headings('account', 'z rachunku;na rachunek;z rach.;na rach.;rachunek;nr rach.;account;iban'),
  ...headings('text', 'tytul;tytulem;opis;szczegoly;details;title'),
}

function headings(role: 'payee' | 'account' | 'text', words: string) {
  return Object.fromEntries(words.split(';').map((word) => [word, role]))
}

/** `PRZELEW; z rachunku: …; od: …; tytul: …`. */
function readListed(written: string): Information {
  const found = { payee: '', account: '', text: '' }
  const others: string[] = []
  for (const item of written.split(';')) {
    const [heading, ...rest] = item.split(':') as [string, ...string[]]
    const value = rest.join(':').trim()
    const key = folded(heading)
    const role = Object.hasOwn(HEADINGS, key) ? HEADINGS[key] : undefined
    if (role !== undefined && found[role] === '') {
      found[role] = value
    } else {
      others.push(item.trim())
    }
  }
  const { payee, account, text } = found
  return {
    payee,
    account: account.replaceAll(' ', ''),
    text: text || others.filter(Boolean).join('; '),
    metadata: text === '' ? {} : { bookingText: others.filter(Boolean).join('; ') },
  }
}

const folded = (text: string) =>
  text.trim().toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l')

/** References that say that there is none are left out. */
function set(metadata: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined && !['', 'NOTPROVIDED', 'NONREF'].includes(value)) {
    metadata[name] = value
  }
}
