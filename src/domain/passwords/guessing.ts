import { foldKey } from '../text.ts'
import { COMMON_WORDS, isKnownPassword } from './known.ts'

// A password would be guessed not by trying all characters, but by lists, words, dates and rows of keys. It is cut
// into the parts that are cheapest to guess; its strength is the sum of their bits.

/** By which rule a password is easy to guess. */
export type Weakness = 'known' | 'personal' | 'repetition' | 'sequence' | 'words' | 'digits'

/** A password worth less is refused: about three common words, or eight characters without a pattern. */
const LEAST_BITS = 30

type Kind = 'word' | 'personal' | 'again' | 'sequence' | 'digits' | 'other'

const BITS: Record<Exclude<Kind, 'other'>, number> = {
  word: 11,
  personal: 2,
  again: 2,
  sequence: 6,
  // The bits of each digit; years and dates have their own.
  digits: Math.log2(10),
}
const YEAR_BITS = 7
const DATE_BITS = 14
const LETTER_BITS = Math.log2(26)
/** The bits of a sign between words, which people choose from few. */
const SIGN_BITS = 2
/** The bits of a character beyond ASCII. */
const FOREIGN_BITS = 7

/** The number of different signs in a usual password that is made of words. */
const USUAL_SIGNS = 3
const NO_PART = /[^\p{L}\p{N}\p{So}@!$+|€]/gu

const LEAST_SEQUENCE = 4
const LEAST_REPEATED = 3
const SHORTEST_WORD = 3
const LONGEST_WORD = 14

/** Rows, columns and weaves of keyboards, the alphabet and the digits; each also backwards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789012345678901234567890',
  '9876543210',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qa2ws3ed4rf5tg6yh7uj8ik9ol0p',
  'zaq12wsxcde34rfvbgt56yhnmju78ik',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7ki8lo9p0',
  'qweasdzxc',
  '147258369',
]
const SEQUENCES = ROWS.flatMap((row) => [row, [...row].toReversed().join('')])

/**
 * The signs that people write in the place of letters. Where two letters share a sign, each is one way to read it.
 */
const LEET: Record<string, string>[] = [
  { '@': 'a', '4': 'a', '8': 'b', '3': 'e', '6': 'g', '9': 'g', '1': 'i', '!': 'i', '0': 'o' },
  { '@': 'a', '4': 'a', '8': 'b', '3': 'e', '6': 'b', '9': 'q', '1': 'l', '!': 'l', '0': 'o' },
].map((one) => ({ ...one, $: 's', '5': 's', '7': 't', '+': 't', '2': 'z', '|': 'l', '€': 'e' }))

const readings = (text: string): string[] => [
  text,
  ...LEET.map((letters) => [...text].map((one) => letters[one] ?? one).join('')),
]

const bareOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Few signs stand between words wherever they are; more different ones are chosen like letters. */
const bitsOfSigns = (key: string) =>
  Math.max(0, new Set(key.match(NO_PART)).size - USUAL_SIGNS) * LETTER_BITS

/** Without the signs between words, but with those that may stand for letters. */
const joined = (text: string) => text.replaceAll(NO_PART, '')

/**
 * By which rule the password is easy to guess; undefined when it is not.
 * @param personal names and addresses of whoever chooses it, and of the service
 */
export function passwordWeakness(password: string, personal: string[]): Weakness | undefined {
  const key = foldKey(password)
  const bare = bareOf(key)
  if (personal.some((one) => isMadeOf(bare, bareOf(foldKey(one))))) {
    return 'personal'
  }
  if ([key, bare].some(isRepetitive)) {
    return 'repetition'
  }
  const words = new Set(personal.flatMap(partsOfName))
  const { bits: bitsOfParts, kinds } = cheapest(joined(key), words)
  const bits = bitsOfParts + bitsOfSigns(key)
  const has = (kind: Kind) => kinds.includes(kind)
  if (bits < LEAST_BITS && has('personal')) {
    return 'personal'
  }
  if (has('sequence') && kinds.every((kind) => kind === 'sequence')) {
    return 'sequence'
  }
  if (readings(key).map(bareOf).some(isKnown)) {
    return 'known'
  }
  const isWord = isWordWithDigits(kinds) || isOneWordWithDigits(password)
  if (bits >= LEAST_BITS && !isWord) {
    return undefined
  }
  if (has('word') || isWord) {
    return 'words'
  }
  if (has('sequence')) {
    return 'sequence'
  }
  return has('digits') && !has('again') ? 'digits' : 'repetition'
}

/** In a list as it is, or without the digits at its ends; lists hold nothing that is longer. */
function isKnown(bare: string): boolean {
  const inner = bare.replaceAll(/^\d+|\d+$/g, '')
  return [bare, inner].some(
    (text) => text.length >= 8 && text.length <= 40 && isKnownPassword(text),
  )
}

/**
 * Letters in one piece with digits at the ends are hardly ever chosen at random, whatever the word, unless small and
 * capital letters are mixed.
 */
const ONE_WORD_WITH_DIGITS = /^(?=.*\d)\d*\p{L}{1,14}\d*$/u
const MIXED_CASE = /\p{Ll}.*\p{Lu}.*\p{Lu}|\p{Lu}.*\p{Lu}.*\p{Ll}/u

const isOneWordWithDigits = (password: string) =>
  ONE_WORD_WITH_DIGITS.test(bareOf(foldKey(password))) && !MIXED_CASE.test(password)

const isWordWithDigits = (kinds: Kind[]) =>
  kinds.filter((kind) => kind === 'word').length === 1 &&
  kinds.every((kind) => kind === 'word' || kind === 'digits' || kind === 'sequence')

/** The words of a name or an address that are long enough to be noticed in a password. */
const partsOfName = (name: string) =>
  foldKey(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= SHORTEST_WORD)

interface Cut {
  bits: number
  kinds: Kind[]
}

/** The cheapest way to put the text together from parts that a guesser tries. */
function cheapest(key: string, personal: ReadonlySet<string>): Cut {
  const text: Whole = {
    ...{ key, texts: readings(key), personal },
    longestPersonal: Math.max(0, ...[...personal].map(({ length }) => length)),
    longest: longestParts(key),
  }
  let whole: Cut = { bits: 0, kinds: [] }
  const cuts = [whole]
  for (let end = 1; end <= key.length; end++) {
    whole = { bits: Infinity, kinds: [] }
    for (const [start, before] of cuts.entries()) {
      const part = partAt(text, start, end)
      if (part && before.bits + part.bits < whole.bits) {
        whole = { bits: before.bits + part.bits, kinds: [...before.kinds, part.kind] }
      }
    }
    cuts.push(whole)
  }
  return whole
}

/** The greatest lengths of parts, by kind, that begin at a place. Anything shorter is such a part, too. */
interface Longest {
  oneCharacter: number
  /** A part that stands in front of the place as well. */
  again: number
  sequence: number
}

/** For each place, so that not every part is searched for: anybody may ask, with long passwords. */
function longestParts(key: string): Longest[] {
  const found: Longest[] = []
  // The length of the text that repeats here from each earlier place on.
  let same: number[] = []
  for (let start = key.length - 1; start >= 0; start--) {
    const next = same
    same = Array.from({ length: start }, (_, at) =>
      key[at] === key[start] ? (next[at + 1] ?? 0) + 1 : 0,
    )
    const follows = key[start] === key[start + 1] ? (found[0] as Longest).oneCharacter : 0
    found.unshift({
      oneCharacter: follows + 1,
      again: Math.max(0, ...same.map((length, at) => Math.min(length, start - at))),
      sequence: longestSequence(key.slice(start)),
    })
  }
  return found
}

function longestSequence(text: string): number {
  let length = 0
  while (length < text.length && SEQUENCES.some((row) => row.includes(text.slice(0, length + 1)))) {
    length += 1
  }
  return length
}

interface Whole {
  key: string
  texts: string[]
  personal: ReadonlySet<string>
  longestPersonal: number
  longest: Longest[]
}

function partAt(
  { key, texts, personal, longestPersonal, longest }: Whole,
  start: number,
  end: number,
): { bits: number; kind: Kind } | undefined {
  const { oneCharacter, again, sequence } = longest[start] as Longest
  const length = end - start
  const isRead = (words: ReadonlySet<string>) =>
    texts.some((text) => words.has(text.slice(start, end)))
  if (length >= SHORTEST_WORD && length <= longestPersonal && isRead(personal)) {
    return { bits: BITS.personal, kind: 'personal' }
  }
  if (length >= LEAST_REPEATED && length <= Math.max(oneCharacter, again)) {
    const isFirst = start === 0 || length <= oneCharacter
    return { bits: isFirst ? BITS.sequence : BITS.again, kind: 'again' }
  }
  if (length >= LEAST_SEQUENCE && length <= sequence) {
    return { bits: BITS.sequence, kind: 'sequence' }
  }
  if (length > LONGEST_WORD) {
    return undefined
  }
  if (length >= SHORTEST_WORD && isRead(COMMON_WORDS)) {
    return { bits: BITS.word, kind: 'word' }
  }
  const part = key.slice(start, end)
  if (/^(19|20)\d\d$/.test(part)) {
    return { bits: YEAR_BITS, kind: 'digits' }
  }
  if (isDate(part)) {
    return { bits: DATE_BITS, kind: 'digits' }
  }
  return length === 1 ? characterOf(part) : undefined
}

function characterOf(one: string): { bits: number; kind: Kind } {
  if (/\d/.test(one)) {
    return { bits: BITS.digits, kind: 'digits' }
  }
  if (/[a-z]/.test(one)) {
    return { bits: LETTER_BITS, kind: 'other' }
  }
  return { bits: one.charCodeAt(0) < 128 ? SIGN_BITS : FOREIGN_BITS, kind: 'other' }
}

/** Six or eight digits that are a day in some order. */
const isDate = (part: string): boolean =>
  /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])((19|20)?\d\d)$/.test(part) ||
  /^(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])((19|20)?\d\d)$/.test(part) ||
  /^((19|20)?\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(part)

/** One short unit over and over, at least three times, or one word twice. */
function isRepetitive(key: string): boolean {
  for (let unit = 1; unit <= key.length / 2; unit++) {
    if (isRepetitionOf(key, key.slice(0, unit))) {
      return true
    }
  }
  return false
}

const isMadeOf = (bare: string, name: string) => name !== '' && isRepetitionOf(bare, name)

const isRepetitionOf = (key: string, unit: string) =>
  key !== '' && unit.repeat(Math.ceil(key.length / unit.length)).startsWith(key)
