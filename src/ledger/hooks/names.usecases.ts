import { AppError } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'
import { profileOf, type SignedIn } from '../../platform/context.ts'
import type { Change } from '../../platform/log/events.ts'
import { forbidden } from '../../platform/database/refusals.ts'
import type { Statement } from '../../platform/database/statements.ts'
import { owns } from '../../areas/identity/access/access.public.ts'
import { type LedgerHook, type PlacedDraft, preparation } from './hooks.usecases.ts'
import {
  type LabelCandidate,
  idMeant,
  MOST_CREATED,
  type NamedLabel,
  type NamedPlace,
  namesIn,
  type NamingErrors,
  namingErrors,
  withIds,
} from './names.rules.ts'

/** An area's way to find and create labels that drafts refer to by name. */
interface Naming<Row extends LabelCandidate> {
  what: NamedLabel
  /** Finds labels of the owners on whose accounts the caller may write. */
  candidates: (ctx: SignedIn, keys: string[]) => Statement<Row[]>
  /** Tells the rows apart that a draft may mean by the same key. */
  groupOf: (row: Row) => string
  /** The groups that a name in a draft may mean, the preferred one first. One that is created belongs to that. */
  groupsIn: (draft: PlacedDraft, place: NamedPlace) => [string, ...string[]]
  /** The rows of that name that a draft may not have, and the error that says so. */
  unfit?: {
    groupIn: (draft: PlacedDraft, key: string) => string
    error: NamingErrors['unknown']
  }
  permission: Permission
  create: (ctx: SignedIn, draft: PlacedDraft, place: NamedPlace) => { id: string; change: Change }
  errors: NamingErrors
}

/**
 * Puts ids in the place of the names in drafts: of labels of the account's owner, whoever books. One that does not exist is
 * created where the draft says so, once for all drafts of a request.
 */
export const namedLabels = <Row extends LabelCandidate>({
  what,
  candidates,
  groupOf,
  groupsIn,
  unfit,
  permission,
  create,
  errors,
}: Naming<Row>): LedgerHook => ({
  prepare: (ctx, drafts) => {
    const keys = new Set(drafts.flatMap((draft) => namesIn(draft, what).map(({ key }) => key)))
    return preparation({
      needs: keys.size === 0 ? undefined : () => candidates(ctx, [...keys]),
      decide: (rows) => {
        const known = Map.groupBy(rows, groupOf)
        const created = new Map<string, string>()
        return (draft) => {
          const changes: Change[] = []
          const idOf = (place: NamedPlace): string => {
            const { field, key } = place
            const groups = groupsIn(draft, place)
            const [group] = groups
            const candidates = groups.map((one) => known.get(one)).find((rows) => rows) ?? []
            const found = idMeant(candidates, field, errors) ?? created.get(group)
            if (found !== undefined) {
              return found
            }
            const unknown =
              unfit && known.has(unfit.groupIn(draft, key)) ? unfit.error : errors.unknown
            requireMayCreate(ctx, draft, { field, permission, errors: { ...errors, unknown } })
            if (created.size === MOST_CREATED) {
              throw namingErrors.tooManyNew({ field })
            }
            const { id, change } = create(ctx, draft, place)
            created.set(group, id)
            changes.push(change)
            return id
          }
          return { ...withIds(draft, what, idOf), changes, isNamed: true }
        }
      },
    })
  },
})

function requireMayCreate(
  ctx: SignedIn,
  { createMissing, ownerId }: PlacedDraft,
  { field, permission, errors }: { field: string; permission: Permission; errors: NamingErrors },
): void {
  if (!createMissing) {
    throw errors.unknown({ field })
  }
  if (!owns(ctx.caller, { ownerId })) {
    throw errors.ownerCreates({ field })
  }
  if (!profileOf(ctx).permissions.includes(permission)) {
    throw forbidden(permission)
  }
}

/** Tries once more where somebody else created a label at the same moment: the second time it is found. */
export async function againIfCreatedMeanwhile<Result>(
  attempt: () => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof AppError && error.code === namingErrors.createdMeanwhile().code) {
      return attempt()
    }
    throw error
  }
}
