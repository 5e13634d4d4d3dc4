/**
 * Characters that show nothing: those that Unicode says to ignore in display, and controls and formats. Of the formats
 * the few are left out that are drawn around the digits which follow them.
 */
const INVISIBLE =
  /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/gv

/** White space of every kind, and the Braille pattern without a dot. A byte order mark has no width. */
const BLANK = /[[\s\u0085\u2800]--\ufeff]+/gv

/** Printable ASCII with single spaces, as most texts are: there is nothing to fold but case. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/**
 * The key under which a name is unique. Characters that cannot be seen, white space, case, compatibility forms and the
 * difference between composed and decomposed letters do not count.
 *
 * JavaScript has no Unicode case folding, so this maps case: to upper case, which unites ß with ss
 * and final with medial sigma, and back. The lower case before that is for ẞ, which is its own upper
 * case. It differs from full folding in the Turkish letters, whatever the locale: dotless ı counts
 * as i, and dotted İ is a letter of its own (i with a dot above).
 */
export function foldKey(text: string): string {
  if (PLAIN.test(text)) {
    return text.toLowerCase()
  }
  const visible = text.normalize('NFKC').replace(BLANK, ' ').replace(INVISIBLE, '')
  const folded = visible.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase()
  // Case mapping can leave letters decomposed; normalising again makes every key its own key.
  return folded.normalize('NFKC').replace(BLANK, ' ').trim()
}

/** True if the database keeps the text unchanged: it rewrites lone surrogates, and some of its functions end a text at U+0000. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

/** Returns the part of an account number that may be shown. It counts code points, so that none is cut in two. */
export function lastFour(text: string): string {
  return Array.from(text.trim()).slice(-4).join('')
}

const MOST_IDS_LISTED = 10

/** The ids among which somebody has to choose, as an error tells them. */
export const listOfIds = (ids: string[]): string =>
  `${ids.slice(0, MOST_IDS_LISTED).join(', ')}${ids.length > MOST_IDS_LISTED ? ', …' : ''}`

/**
 * A line of NDJSON. Some readers of lines, as those of Node and Python, end one at these separators of Unicode, too,
 * which JSON takes as they are.
 */
export const jsonLine = (value: object): string =>
  `${JSON.stringify(value).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`

/** Cuts a text to a length, without half a character at its end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')
