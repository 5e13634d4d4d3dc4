import { tooManyTries } from './limits.ts'
import {
  changedMeanwhile,
  conflicting,
  forbidden,
  nothingHere,
  ofVersion,
  type Refusal,
  unauthenticated,
} from './refusals.ts'

export type OldGuards = Partial<
  Record<'stale' | 'gone' | 'conflict' | 'limit' | 'permission' | 'session', Refusal>
>

/** Until every premise is made with its own error. */
export function told(refusal: Refusal, guards: OldGuards = {}): Refusal {
  const reason = (
    [
      [changedMeanwhile, 'stale'],
      [nothingHere, 'gone'],
      [conflicting, 'conflict'],
      [tooManyTries, 'limit'],
      [forbidden, 'permission'],
      [unauthenticated, 'session'],
    ] as const
  ).find(([general]) => general === refusal)?.[1]
  const own = reason && guards[reason]
  return own ? (reason === 'stale' ? ofVersion(own) : own) : refusal
}
