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

/** Fills the placeholders of a text that was checked; what a transaction does not have is empty. */
export const filledText = (text: string, values: Record<Placeholder, string | null>): string =>
  text.replaceAll(WORDS, (_, word: Placeholder) => values[word] ?? '').trim()
