import type { WipeKind } from '../../../domain/owned-data.ts'
import {
  type Created,
  carries,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { Preferences } from './own-user.rules.ts'
import type { OwnState, AvatarRow } from './own-user.queries.ts'
import type { Wipe } from './erasure/wipe.rules.ts'

type Deletion = Updated<Pick<OwnState, 'deletionDueAt'>>

export const ownUserEvents = defineEvents('user', {
  avatarChanged: carries<{ before: AvatarRow | undefined; after: AvatarRow }>(),
  avatarDeleted: carries(),
  deletionScheduled: carries<Deletion>(),
  deletionUndone: carries<Deletion>(),
})

export const preferencesEvents = defineEvents('preferences', {
  updated: carries<Updated<Preferences>>(),
})

export const wipeEvents = defineEvents('user', {
  wipeScheduled: carries<Created<Wipe>>(),
  wipeUndone: carries<Deleted<Wipe>>(),
  /** Some of the data is still there. */
  wipeContinued: carries<{ kinds: WipeKind[] }>(),
  /** With the kinds of rows of which some stay, because a balance would leave the range of amounts without them. */
  wiped: carries<{ kinds: WipeKind[]; left?: string[] }>(),
})

export const erasureEvents = defineEvents('user', {
  erasureScheduled: carries(),
  erasureBegun: carries(),
  /** The number of rows, by their kind. */
  dataErased: carries<Record<string, number>>(),
  logRedacted: carries(),
  exportsErased: carries(),
  erasureContinued: carries(),
  /** The deletion was undone. */
  erasureStopped: carries(),
  erased: carries(),
})
