import { foldKey } from './text.ts'

/** Characters without width: soft hyphens, joiners, marks of direction, fillers. */
const WITHOUT_WIDTH = /\p{Default_Ignorable_Code_Point}+/gu

/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts are letters to their readers. */
const ACCENTS = /[\u0300-\u036f]+/g

/** Letters that do not decompose into a plain one and an accent. */
const PLAIN_LETTERS: Record<string, string> = {
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu')

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** Printable ASCII, as most texts of banks are: nothing to fold but case. */
const ASCII = /^[ -~]*$/

const ASCII_WORDS = /[a-z0-9]+/g

/**
 * The text that searches and conditions compare: words in lower case without accents, joined by single spaces. A key is its own key.
 */
export function searchKey(text: string): string {
  if (ASCII.test(text)) {
    return (text.toLowerCase().match(ASCII_WORDS) ?? []).join(' ')
  }
  // Lower case can decompose again, as that of İ does.
  const folded = withoutAccents(withoutAccents(text.replace(WITHOUT_WIDTH, '')))
    .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] as string)
    .normalize('NFC')
  return (folded.match(WORDS) ?? []).join(' ')
}

const withoutAccents = (text: string) => text.normalize('NFKD').replace(ACCENTS, '').toLowerCase()

/** The keys of a name: the one by which names are unique, and the one by which it is found, where that is another. */
export function keysOfName(name: string): { nameKey: string; searchKey: string | null } {
  const [nameKey, key] = [foldKey(name), searchKey(name)]
  return { nameKey, searchKey: key === nameKey ? null : key }
}
