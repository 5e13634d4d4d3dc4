import type { SignedIn } from '../../../platform/context.ts'
import { commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { accountsForBooking } from '../../money/accounts/accounts.public.ts'
import { ownUserErrors } from './own-user.errors.ts'
import { preferencesEvents } from './own-user.events.ts'
import { mergePreferences, ownPreferences, type PreferencesRow } from './own-user.queries.ts'
import {
  patchOf,
  type Preferences,
  preferencesAfter,
  preferencesFrom,
  type SentPreferences,
} from './own-user.rules.ts'

export interface OwnPreferences extends Preferences {
  version: number
  createdAt: number
  updatedAt: number
}

export async function getPreferences(ctx: SignedIn): Promise<OwnPreferences> {
  const [[row]] = await read(ctx, ownPreferences(ctx))
  return preferencesOf(row)
}

/** Changes what is sent; null takes a choice back. */
export async function updatePreferences(
  ctx: SignedIn,
  sent: SentPreferences,
): Promise<OwnPreferences> {
  const named = typeof sent.defaultAccountId === 'string' ? [sent.defaultAccountId] : []
  const [[row], accounts] = await read(ctx, ownPreferences(ctx), accountsForBooking(ctx, named))
  const before = preferencesOf(row)
  requireVersion(ctx, before.version)
  const unknownAccount = () => ownUserErrors.unknownAccount({ field: 'defaultAccountId' })
  if (accounts.length < named.length) {
    throw unknownAccount()
  }
  const [after] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: [
            requireAccess(ctx, 'view', named, unknownAccount),
            ...mergePreferences(ctx, before, patchOf(sent)),
          ],
          events: [
            preferencesEvents.updated(
              { id: ctx.caller.userId, version: before.version + 1 },
              { before, after: preferencesAfter(before, sent) },
            ),
          ],
        },
      ],
    },
    ownPreferences(ctx),
  )
  return preferencesOf(after)
}

function preferencesOf(row: PreferencesRow | undefined): OwnPreferences {
  if (!row) {
    throw new Error('the session check let somebody pass who is not there')
  }
  const { chosen, ...shown } = row
  return { ...preferencesFrom(chosen), ...shown }
}
