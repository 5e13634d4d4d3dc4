/** The placeholders that the texts of a rule may have. */
export const PLACEHOLDERS = ['description', 'payeeRaw', 'note', 'payee'] as const

export type Placeholder = (typeof PLACEHOLDERS)[number]

const WORDS = /\{(\w+)\}/g

/** The words in braces of a text, in their order. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(WORDS)].map(([, word]) => word as string)

/** Whether a word in braces is a placeholder. */
export const isPlaceholder = (word: string): word is Placeholder =>
  (PLACEHOLDERS as readonly string[]).includes(word)

/**
 * Fills the placeholders of a text that was checked; what a transaction does not have is empty. It ends behind this length: hundreds
 * of placeholders may stand for long texts each.
 */
export function filledText(
  text: string,
  values: Record<Placeholder, string | null>,
  most: number,
): string {
  if (!text.includes('{')) {
    return text.trim()
  }
  let filled = ''
  // Words between braces alternate with the texts around them.
  for (const [at, piece] of text.split(WORDS).entries()) {
    filled = `${filled}${at % 2 === 0 ? piece : (values[piece as Placeholder] ?? '')}`.trimStart()
    if (filled.length > most) {
      break
    }
  }
  return filled.trim()
}
