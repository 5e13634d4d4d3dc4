import { sha256Text } from '../platform/secrets/crypto.ts'

/**
 * The strong ETag of an answer that has a `version`: `"<version>-<digest of the body>"`. The digest
 * makes it strong where the body holds more than the version counts (an account's balance); If-Match
 * looks at the version only, which is what a write changes.
 */
export const etagOf = (body: string, version: number): string =>
  versionTag(version, sha256Text(body))

export const versionTag = (version: number, digest: string): string =>
  `"${version}-${digest.slice(0, 16)}"`

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim())

/**
 * The versions that an If-Match names, or `*` for any. It compares strongly (RFC 9110, 13.1.1), so a weak tag names
 * none, like a tag that is not of this service. `"3"` stands for version 3 of what only lists show.
 */
export function versionsIn(ifMatch: string): number[] | '*' {
  if (ifMatch.trim() === '*') {
    return '*'
  }
  const versions = tagsIn(ifMatch).map((tag) => /^"(\d{1,15})(-[\w-]+)?"$/.exec(tag)?.[1])
  return versions.filter((text) => text !== undefined).map(Number)
}

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const TAGS = new RegExp(String.raw`^\s*(?:\*|${TAG}(?:\s*,\s*${TAG})*)\s*$`)

/** Whether a header is `*` or a list of entity tags (RFC 9110, 8.8.3). One that is not was never compared by anybody. */
export const isTagList = (header: string): boolean => TAGS.test(header)

/** Whether the caller already has this very answer. It compares weakly: proxies that compress weaken tags. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  tagsIn(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
