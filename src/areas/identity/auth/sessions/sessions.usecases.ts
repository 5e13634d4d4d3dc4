import type { SignedIn } from '../../../../platform/context.ts'
import { checkAccess, commit, read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { ofUser, sessionEvents } from '../auth.events.ts'
import { forgetTokensOf } from '../one-time-tokens.queries.ts'
import {
  countOfLivingTokens,
  countOfSessions,
  deletePersonalTokensOf,
  endOwnSession,
  endSignInsOf,
  pageOfSessions,
  type SessionRow,
} from './sessions.queries.ts'

/** The caller's live sessions, last used first. */
export async function listSessions(ctx: SignedIn, page: PageRequest): Promise<Page<SessionRow>> {
  const [found, [total]] = await read(ctx, pageOfSessions(ctx, page), countOfSessions(ctx))
  const cut = cutPage(found, page, ({ lastUsedAt, id }) => [String(lastUsedAt), id])
  return { ...cut, count: total?.count ?? 0 }
}

/** Ends one live session of the caller; its own, too. */
export async function endSession(ctx: SignedIn, id: string): Promise<void> {
  await checkAccess(ctx)
  return commit(ctx, {
    changes: [{ statements: endOwnSession(ctx, id), events: [sessionEvents.revoked({ id })] }],
    result: undefined,
  })
}

/**
 * Ends every session of the caller, this one included, and, unless they stay, its personal access tokens. Whoever had one
 * of the sessions may have asked for another address.
 */
export async function logoutAll(
  ctx: SignedIn,
  { keepTokens = false }: { keepTokens?: boolean | undefined },
): Promise<{ tokensEnded: number }> {
  const { userId } = ctx.caller
  const [[living]] = await read(ctx, countOfLivingTokens(ctx))
  const tokensEnded = keepTokens ? 0 : (living?.count ?? 0)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...endSignInsOf(ctx, userId),
          ...(keepTokens ? [] : [deletePersonalTokensOf(userId)]),
          forgetTokensOf(userId, 'emailChange'),
        ],
        events: [sessionEvents.allRevoked(ofUser(userId), { tokensEnded })],
      },
    ],
    result: { tokensEnded },
  })
}
