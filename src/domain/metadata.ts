import type { JsonRecord } from './json-values.ts'

/** The most bytes of the free fields of a transaction, as JSON. */
export const METADATA_BYTES = 4096

export const sizeOf = (text: string): number => new TextEncoder().encode(text).length

export const isSmallMetadata = (value: unknown): boolean =>
  sizeOf(JSON.stringify(value)) <= METADATA_BYTES

/** The free fields that a text of JSON holds; undefined if a transaction cannot have them. */
export function metadataIn(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord && isExactMetadata(value) && isSmallMetadata(value)
      ? (value as JsonRecord)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * True if a value survives storage unchanged. JSON has numbers that JavaScript cannot hold, and a key that tools
 * treat specially.
 */
export function isExactMetadata(value: unknown): boolean {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  }
  if (typeof value !== 'object' || value === null) {
    return true
  }
  return !Object.hasOwn(value, '__proto__') && Object.values(value).every(isExactMetadata)
}
