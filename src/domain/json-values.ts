/** An object of JSON of which nothing is known. */
export type JsonRecord = Record<string, unknown>

export const recordOf = (value: unknown): JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {}

/** Empty where it is no text. */
export function textOf(record: JsonRecord, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

export function listOf(record: JsonRecord, name: string): JsonRecord[] {
  const value = record[name]
  return Array.isArray(value) ? value.map(recordOf) : []
}

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const OPENING = new Set(['[', '{'].map((bracket) => bracket.charCodeAt(0)))
const CLOSING = new Set([']', '}'].map((bracket) => bracket.charCodeAt(0)))

/**
 * Tells whether objects and arrays stand within each other more than `deepest` times, or whether there are more than `most` of them,
 * without reading them: two characters can become an object of fifty bytes.
 */
export function isComplexJson(
  json: string,
  { deepest, most }: Record<'deepest' | 'most', number>,
): boolean {
  let [depth, count, isInText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) {
      isInText = !isInText
    } else if (isInText) {
      at += unit === BACKSLASH ? 1 : 0
    } else if (OPENING.has(unit)) {
      depth += 1
      count += 1
      if (depth > deepest || count > most) {
        return true
      }
    } else if (CLOSING.has(unit)) {
      depth -= 1
    }
  }
  return false
}
