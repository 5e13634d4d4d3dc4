/** How large the free fields of a transaction are at most, as JSON. */
export const METADATA_BYTES = 4096

export const sizeOf = (text: string): number => new TextEncoder().encode(text).length

export const isSmallMetadata = (value: unknown): boolean =>
  sizeOf(JSON.stringify(value)) <= METADATA_BYTES

/**
 * Whether it comes back as it was sent: JSON has numbers that JavaScript cannot hold, and a key that
 * tools take for something else.
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
