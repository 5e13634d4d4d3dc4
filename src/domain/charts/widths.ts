/** Letters as wide as their font is high, and wider ones. */
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const BROAD = /[\p{Lu}mw%@&+=<>~—…]/u
const NARROW = /[ijlftr.,:;'’|!()[\]{} -]/

/** Widths in heights of the font. Fonts differ, so each is that of a broad font. */
function widthOfLetter(letter: string): number {
  if (WIDE.test(letter)) {
    return 1.3
  }
  if (NARROW.test(letter)) {
    return 0.42
  }
  return BROAD.test(letter) ? 0.9 : 0.66
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const lettersOf = (text: string): string[] =>
  Array.from(letters.segment(text), (one) => one.segment)

/** How wide a text is at most in usual fonts, in heights of the font. */
export const widthOf = (text: string): number =>
  lettersOf(text).reduce((width, letter) => width + widthOfLetter(letter), 0)

/** A text as far as it fits into a width, in heights of the font. No letter is cut in two. */
export function fitted(text: string, width: number): string {
  if (widthOf(text) <= width) {
    return text
  }
  let left = width - widthOf('…')
  const kept = lettersOf(text)
  const end = kept.findIndex((letter) => {
    left -= widthOfLetter(letter)
    return left < 0
  })
  return `${kept.slice(0, end).join('').trimEnd()}…`
}
