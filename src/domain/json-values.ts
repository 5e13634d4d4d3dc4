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

/**
 * A string, or a bracket outside of one. What is no JSON may have a string that does not end: it goes to the end of the text, so that
 * nothing of it is looked at twice.
 */
const STRING_OR_BRACKET = /"(?:[^"\\]|\\[^]?)*(?:"|$)|[[\]{}]/g

/** Tells whether objects and arrays stand within each other more than so often, without following them. */
export function isNestedDeeply(json: string, most: number): boolean {
  let depth = 0
  for (const [bracket] of json.matchAll(STRING_OR_BRACKET)) {
    if (bracket === '[' || bracket === '{') {
      depth += 1
      if (depth > most) {
        return true
      }
    } else if (bracket === ']' || bracket === '}') {
      depth -= 1
    }
  }
  return false
}
