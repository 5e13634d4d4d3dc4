import type { SchemeOfAccount } from '../../../../domain/imports/trust.ts'
import { freshId, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { anyPayee } from '../../../money/payees/payees.public.ts'
import { untrustedSchemes } from '../identities/candidates.queries.ts'
import { type HabitRow, habitsOf } from '../imports.queries.ts'
import { mappingFrom } from '../imports.rules.ts'
import { profilesOf } from '../profiles/profiles.queries.ts'
import { pauseRegularly } from '../../../../platform/pauses.ts'
import { busyFor } from '../reading/busy.rules.ts'
import type { Habit } from '../reading/suggesting.rules.ts'
import type { Wishes } from '../reading/survey.usecases.ts'

/** What reading a file goes by, of its owner. */
export interface Surroundings {
  views: AccountView[]
  profiles: Wishes['profiles']
  untrusted: SchemeOfAccount[]
  /** Whether texts may mean payees. */
  hasPayees: boolean
  /** How earlier files were read. */
  habits: Habit[]
}

export const surroundings = (ctx: SignedIn) =>
  [
    visibleAccounts(ctx),
    profilesOf(ctx),
    untrustedSchemes(ctx),
    anyPayee(ctx),
    habitsOf(ctx),
  ] as const

/** @param found by `surroundings` */
export const surroundingsFrom = (
  ...[views, profiles, untrusted, payees, habits]: [
    views: AccountView[],
    profiles: Wishes['profiles'],
    untrusted: SchemeOfAccount[],
    payees: object[],
    habits: HabitRow[],
  ]
): Surroundings => ({
  ...{ views, profiles, untrusted, hasPayees: payees.length > 0 },
  habits: habits.map(({ accountId, ...mapping }) => ({
    accountId,
    mapping: mappingFrom(mapping),
  })),
})

/** What a reading goes by beside the file and what is stored. */
export const makingIn = (ctx: SignedIn) => ({
  newId: () => freshId(ctx, 'acc'),
  baseCurrency: profileOf(ctx).baseCurrency,
  locale: profileOf(ctx).locale,
  busy: busyFor(pauseRegularly(), ctx.ports.now),
})
