import { searchKey } from '../search-key.ts'
import type { ConditionOp } from './conditions.ts'

/** A pattern of `like`: keys of the texts between its `*`. The first and the last are the ends that a text must have. */
export interface Pattern {
  start: string
  /** In this order, without overlap. */
  middle: string[]
  end: string
  /** True if it has no `*`, so that the text is `start`. */
  isWhole: boolean
}

/** Reads a pattern of `like`. Blanks beside `*` do not count, as keys have none at their ends. */
export function patternOf(text: string): Pattern {
  const [start, ...rest] = text.split('*').map(searchKey) as [string, ...string[]]
  return {
    start,
    middle: rest.slice(0, -1).filter((part) => part !== ''),
    end: rest.at(-1) ?? '',
    isWhole: rest.length === 0,
  }
}

/** The pattern that a text must fit to meet a comparison; of `word`, one that it must fit at least. */
export function patternFor(op: ConditionOp, text: string): Pattern {
  if (op === 'like') {
    return patternOf(text)
  }
  const isWhole = op === 'is' || op === 'isEmpty'
  const key = searchKey(text)
  return { start: isWhole ? key : '', middle: isWhole ? [] : [key], end: '', isWhole }
}

/** Returns the longest part of a pattern, which a text that fits must contain. */
export const longestPart = ({ start, middle, end }: Pattern): string =>
  [start, ...middle, end].reduce((one, other) => (other.length > one.length ? other : one))

/**
 * True if a key fits a pattern as a whole. Takes linear time: each part is searched once, behind the one before it.
 */
export function fits({ start, middle, end, isWhole }: Pattern, key: string): boolean {
  if (isWhole) {
    return key === start
  }
  if (!key.startsWith(start)) {
    return false
  }
  let at = start.length
  for (const part of middle) {
    const found = key.indexOf(part, at)
    if (found < 0) {
      return false
    }
    at = found + part.length
  }
  return key.length - end.length >= at && key.endsWith(end)
}

/** True if a key has these words, one after the other, as whole words. */
export const hasWords = (key: string, words: string): boolean => ` ${key} `.includes(` ${words} `)
