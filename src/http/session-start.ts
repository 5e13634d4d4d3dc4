import type { Settings } from '../env.ts'
import type { Access } from './registry.ts'

// Where the database session of a request starts: ADR 0062.

/** What of a route decides that. */
export interface Asked {
  method: string
  /** OpenAPI form: `/account/{id}`. */
  path: string
  access: Access
  /** Whether a GET commits something. */
  writes?: boolean | undefined
}

/** Whether an operation commits nothing. */
export const isReadOnly = ({ method, writes = false }: Asked): boolean =>
  method === 'get' && !writes

/**
 * Whether an operation may answer with what was true a moment ago: what a signed-in user reads. Sessions, credentials and
 * the work of administrators are no such thing.
 */
const mayLag = (asked: Asked): boolean =>
  isReadOnly(asked) && asked.access !== 'public' && !/^\/(?:auth|admin)(?:\/|$)/.test(asked.path)

export const PRIMARY = 'first-primary'
/** Any instance: the nearest, however far behind it is. */
const ANYWHERE = 'first-unconstrained'

const LONGEST_BOOKMARK = 200

/** Loosely, as the form is not documented: numbers in hexadecimal. */
const isBookmark = (text: string) =>
  text.length <= LONGEST_BOOKMARK && /^[\da-f]+(?:-[\da-f]+)+$/.test(text)

/**
 * What `withSession` is given. A caller who sends a bookmark wants to see no less than it stands for. If it is malformed, only the
 * primary is certain to have that.
 */
export function sessionStart(
  asked: Asked,
  { readReplicas }: Pick<Settings, 'readReplicas'>,
  bookmark: string | undefined,
): string {
  if (!readReplicas || !mayLag(asked)) {
    return PRIMARY
  }
  if (bookmark === undefined) {
    return ANYWHERE
  }
  return isBookmark(bookmark) ? bookmark : PRIMARY
}
