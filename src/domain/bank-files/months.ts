import { lazily } from '../memoized.ts'
import months from './months.json' with { type: 'json' }

/** Lower case without marks; the letters that no mark makes are written plainly. */
export const foldWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')

/** From 1 by name or short form. Both sides are folded, because some names have marks that fold away. */
const numbers = lazily(
  () =>
    new Map(
      Object.values(months.names).flatMap((lines, index) =>
        lines
          .flatMap((line) => line.split(' '))
          .map((name): [string, number] => [foldWord(name), index + 1]),
      ),
    ),
)

/** The month that a word names, from 1. */
export const monthNamed = (word: string): number | undefined => numbers().get(foldWord(word))
