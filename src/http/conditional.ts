import { sha256Text } from '../platform/crypto.ts'

/**
 * The strong ETag of an answer that has a `version`: `"<version>-<digest of the body>"`. The digest
 * makes it strong where the body holds more than the version counts (an account's balance); If-Match
 * looks at the version only, which is what a write changes.
 */
export async function etagOf(body: string, version: number): Promise<string> {
  return `"${version}-${(await sha256Text(body)).slice(0, 16)}"`
}

const tags = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** The versions that an If-Match accepts; `*` accepts any, a foreign tag accepts none. */
export function expectedVersions(ifMatch: string): { expectedVersions?: number[] } {
  if (ifMatch.trim() === '*') {
    return {}
  }
  const versions = tags(ifMatch).map((tag) => /^"(\d{1,15})-[\w-]+"$/.exec(tag)?.[1])
  return { expectedVersions: versions.filter((text) => text !== undefined).map(Number) }
}

/** Whether the caller already has this very answer. Proxies that compress weaken tags, so W/ is ignored. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && tags(ifNoneMatch).some((tag) => tag === etag || tag === '*')
