import names from './names.json' with { type: 'json' }

/** The languages that a starter set is written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const

export type Language = (typeof LANGUAGES)[number]

/** English has a name for each, and no other language may lack one. */
export type StarterKey = keyof typeof names.en

const NAMES: Record<Language, Record<StarterKey, string>> = names

export const nameIn = (language: Language, key: StarterKey): string => NAMES[language][key]
