import { readHeading } from '../csv/words.ts'
import type { Steps } from '../steps.ts'
import type { Question } from './format.ts'
import { SCRIPTS } from './letters.ts'

export interface EncodingChoice {
  /** A label of `TextDecoder`. */
  encoding?: string
  /** Asked where no candidate is twice as likely as the next. */
  question?: Question
  confidence: number
}

/** Tells whether the label names an encoding that can be read. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

/** So many bytes are decoded by each candidate. */
const SAMPLE_LENGTH = 65_536
const HEAD_LENGTH = 4_096
const SCORE_OF_WORD = 10
const MAX_EVIDENCE = 3
const FOREIGN = /[^\u0020-\u007e\s]/

function byteOrderMark(head: Uint8Array): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return 'utf-8'
  }
  if (head[0] === 0xff && head[1] === 0xfe) {
    return 'utf-16le'
  }
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

/** UTF-16 without a mark: every second byte of plain text is zero. */
function byZeros(head: Uint8Array): string | undefined {
  const zeros = [0, 0]
  for (const [index, byte] of head.entries()) {
    zeros[index % 2] = (zeros[index % 2] as number) + Number(byte === 0)
  }
  const half = Math.floor(head.length / 2)
  const [even, odd] = zeros as [number, number]
  const isMost = (count: number) => half > 1 && count > half * 0.9
  if (isMost(odd) && even === 0) {
    return 'utf-16le'
  }
  return isMost(even) && odd === 0 ? 'utf-16be' : undefined
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    // The last character may be cut.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes, {
      stream: true,
    })
  } catch {
    return undefined
  }
}

/** Headings known in the first lines that have a letter beyond ASCII; all others are the same in every decoding. */
function knownWords(text: string): string[] {
  const cells = text.slice(0, HEAD_LENGTH).split(/[\r\n;,\t|]+/)
  return cells
    .map((cell) => cell.replace(/^[\s"']+|[\s"']+$/g, ''))
    .filter((cell) => FOREIGN.test(cell) && readHeading(cell).role !== undefined)
}

/** A word whose letters change between small and capital as none does. */
const isIllCased = (word: string): boolean => /\p{Ll}\p{Lu}/u.test(word)

/** Words with letters beyond ASCII, and letters without such a word around them. */
function foreignWords(text: string): string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/[\p{L}\p{M}ºª€]+/gu)) {
    if (FOREIGN.test(word)) {
      words.push(word)
    }
  }
  return words
}

/** Scores the letters of a text for a language. */
function scoreLetters(words: readonly string[], letters: ReadonlySet<string>, isLatin: boolean) {
  let score = 0
  for (const word of words) {
    if (word === '€') {
      // Signs beside an amount are usual in every language.
      score += 1
      continue
    }
    let foreign = 0
    let known = 0
    for (const letter of word) {
      const isForeign = letter > '\u007f'
      foreign += Number(isForeign)
      known += Number(isForeign && letters.has(letter))
    }
    if (!isLatin) {
      // A word is in one script.
      score += foreign === [...word].length && !isIllCased(word) ? known : -foreign
      continue
    }
    // In languages with Latin letters, few of a word's are beyond ASCII.
    const isSparse = foreign === 1 ? true : foreign * 2 <= word.length
    score += isSparse ? known - 3 * (foreign - known) : -foreign
  }
  return score
}

const CONTROLS = /[\u0080-\u009f\ue000-\uf8ff]/g
/** The sign for a number, which stands at its letter. */
const NUMERO = /\bn°/gi
const SYMBOLS_AT_LETTERS =
  /\p{L}[¤¦§¨©¬®¯°±²³´µ¶·¸¹¼½¾×÷‰†‡ˆ˜¢¥ƒ]|[¤¦§¨©¬®¯±²³´µ¶·¸¹¼½¾×÷‰†‡ˆ˜¢¥ƒ]\p{L}/gu

interface Decoded {
  encoding: string
  text: string
  languages: ReadonlySet<string>[]
  isLatin: boolean
  headings: string[]
  words: string[]
  /** The penalty for characters that no text contains. */
  strange: number
}

function lookAt(sample: Uint8Array, script: (typeof SCRIPTS)[number]): Decoded[] {
  const { encoding, languages, isLatin, impossible = CONTROLS } = script
  const text = decode(sample, encoding)
  if (text === undefined) {
    return []
  }
  const plain = text.replace(NUMERO, 'no')
  const count = (pattern: RegExp) => plain.match(pattern)?.length ?? 0
  return [
    {
      encoding,
      text,
      languages: languages.map((letters) => new Set(letters)),
      isLatin,
      headings: knownWords(text),
      words: foreignWords(text),
      strange: 5 * (count(CONTROLS) + count(impossible)) + 2 * count(SYMBOLS_AT_LETTERS),
    },
  ]
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Scores a decoding by known headings, letters of its languages, and characters that no text has. Words that another
 * decoding reads alike do not count between the two.
 */
function scoreOf(
  { headings, words, languages, isLatin, strange }: Decoded,
  alike: { headings: ReadonlySet<string>; words: ReadonlySet<string> } = {
    headings: NOTHING,
    words: NOTHING,
  },
): number {
  const own = words.filter((word) => !alike.words.has(word))
  const letters = Math.max(...languages.map((language) => scoreLetters(own, language, isLatin)))
  const known = headings.filter((heading) => !alike.headings.has(heading)).length
  return SCORE_OF_WORD * known + letters - strange
}

/** Tells whether one decoding is at least twice as likely as another one. */
function* isTwice(best: Decoded, other: Decoded): Steps<boolean> {
  const wordsOf = ({ headings, words }: Decoded) => ({
    headings: new Set(headings),
    words: new Set(words),
  })
  const score = scoreOf(best, wordsOf(other))
  yield
  const others = scoreOf(other, wordsOf(best))
  return score >= 0 && score > others && score >= 2 * others
}

/** Lines that show the difference: those with characters beyond ASCII. */
const evidenceIn = (text: string): Question['evidence'] =>
  text
    .split(/\r\n?|\n/)
    .flatMap((raw, index) =>
      FOREIGN.test(raw) ? [{ line: index + 1, raw: raw.slice(0, 100) }] : [],
    )
    .slice(0, MAX_EVIDENCE)

function* chooseLegacy(sample: Uint8Array, claimed: string | undefined): Steps<EncodingChoice> {
  const scored: { decoded: Decoded; score: number }[] = []
  for (const script of SCRIPTS) {
    for (const decoded of lookAt(sample, script)) {
      yield
      // The encoding that the header of a file claims counts as one more known word.
      const more = decoded.encoding === claimed ? SCORE_OF_WORD : 0
      scored.push({ decoded, score: scoreOf(decoded) + more })
    }
    yield
  }
  const ranked = scored.toSorted((a, b) => b.score - a.score).map(({ decoded }) => decoded)
  const best = ranked[0] as Decoded
  const rivals: Decoded[] = []
  for (const other of ranked) {
    // Decodings that read the same text do not compete.
    if (other.text !== best.text && !(yield* isTwice(best, other))) {
      rivals.push(other)
    }
    yield
  }
  if (rivals.length === 0 || best.encoding === claimed) {
    return { encoding: best.encoding, confidence: 0.9 }
  }
  const question: Question = {
    key: 'encoding',
    options: [best, ...rivals].map(({ encoding }) => encoding),
    evidence: evidenceIn(best.text),
    suggestion: best.encoding,
  }
  return { question, confidence: 0 }
}

export interface EncodingDetector {
  push(bytes: Uint8Array): void
  /** Decodes a sample in many ways, which takes long. */
  end(): Steps<EncodingChoice>
}

const firstForeign = (bytes: Uint8Array) => bytes.findIndex((byte) => byte >= 0x80)

/**
 * Tells how the text of a file is encoded, from all of its bytes: a byte order mark, zeros, valid UTF-8 to the last
 * byte, else the likeliest of the encodings that banks still use.
 * @param claimed a label of `TextDecoder` that the file's own header names
 */
export function encodingDetector(claimed?: string): EncodingDetector {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let isUtf8 = true
  let isForeign = false
  let head = new Uint8Array(0)
  let sample = new Uint8Array(0)

  const append = (before: Uint8Array<ArrayBuffer>, bytes: Uint8Array, most: number) => {
    const added = bytes.subarray(0, most - before.length)
    const joined = new Uint8Array(before.length + added.length)
    joined.set(before)
    joined.set(added, before.length)
    return joined
  }

  /** The sample begins with the file, or, where that has no letters beyond ASCII, with the line of the first one. */
  function take(bytes: Uint8Array) {
    const first = isForeign ? 0 : firstForeign(bytes)
    if (first === -1) {
      sample = append(sample, bytes, SAMPLE_LENGTH)
      return
    }
    if (!isForeign && sample.length + first >= SAMPLE_LENGTH) {
      sample = sample.slice(0, HEAD_LENGTH)
      const line = bytes.lastIndexOf(10, first)
      sample = append(sample, bytes.subarray(line + 1), SAMPLE_LENGTH)
    } else {
      sample = append(sample, bytes, SAMPLE_LENGTH)
    }
    isForeign = true
  }

  return {
    push(bytes) {
      if (head.length < HEAD_LENGTH) {
        head = append(head, bytes, HEAD_LENGTH)
      }
      if (!isForeign || sample.length < SAMPLE_LENGTH) {
        take(bytes)
      }
      if (isUtf8) {
        try {
          utf8.decode(bytes, { stream: true })
        } catch {
          isUtf8 = false
        }
      }
    },
    *end() {
      const marked = byteOrderMark(head) ?? byZeros(head)
      if (marked !== undefined) {
        return { encoding: marked, confidence: 1 }
      }
      try {
        utf8.decode()
      } catch {
        isUtf8 = false
      }
      if (isUtf8) {
        return { encoding: 'utf-8', confidence: 1 }
      }
      return yield* chooseLegacy(sample, claimed)
    },
  }
}
