import type { SignedIn } from '../../../../platform/context.ts'
import { commitAndRead, read, requireVersion } from '../../../../platform/database.ts'
import type { DomainEvent } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { membershipIn } from '../../../identity/memberships/memberships.public.ts'
import { storedOf } from '../budget-input.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetEvents } from '../budgets.events.ts'
import {
  budgetById,
  mustBeInGroup,
  mustChange,
  mustHaveRoom,
  updateBudgetRow,
} from '../budgets.queries.ts'
import {
  existingBudget,
  managingRole,
  ownerOf,
  requireManage,
  requireOwnerOrGroup,
  type BudgetRow,
  type StoredBudget,
} from '../budgets.rules.ts'
import { requireGroupToWrite } from '../creation.usecases.ts'
import { deleteAlerts, mustBeUnshared, mustHideNothing } from './ownership.queries.ts'

/** Gives a budget to a group of the caller, instead of its owner or another group. */
export async function shareBudgetToGroup(
  ctx: SignedIn,
  id: string,
  groupId: string,
): Promise<BudgetRow> {
  const [[found], [membership]] = await read(ctx, budgetById(ctx, id), membershipIn(ctx, groupId))
  const before = existingBudget(found)
  requireManage(ctx, before)
  requireOwnerOrGroup(ctx, before)
  const { ownerId } = requireGroupToWrite(membership)
  requireVersion(ctx, before.version)
  if (before.groupId === groupId) {
    return before
  }
  const place = { ownerId: null, groupId }
  const after = storedOf({ ...before, ...place })
  return handOver(ctx, before, place, {
    premises: [
      mustBeInGroup(ctx, groupId, 'member'),
      mustBeUnshared(id),
      ...(before.groupId === null ? [mustHideNothing(id), deleteAlerts(id)] : []),
    ],
    events: [
      ...(before.groupId === null ? [] : [taken(before, place)]),
      budgetEvents.sharedWithGroup(
        { id, version: before.version + 1, ownerId, groupId },
        { before: storedOf(before), after },
      ),
    ],
  })
}

/** Takes a budget of a group: the caller owns it from then on. */
export async function unshareBudgetFromGroup(ctx: SignedIn, id: string): Promise<BudgetRow> {
  const [[found]] = await read(ctx, budgetById(ctx, id))
  const before = existingBudget(found)
  requireManage(ctx, before)
  requireOwnerOrGroup(ctx, before)
  requireVersion(ctx, before.version)
  if (before.groupId === null) {
    throw budgetErrors.notInGroup()
  }
  const place = { ownerId: ctx.caller.userId, groupId: null }
  return handOver(ctx, before, place, { premises: [], events: [taken(before, place)] })
}

/** Whose a budget is: a person's or a group's. */
type Place = Pick<StoredBudget, 'ownerId' | 'groupId'>

/** Tells the group that a budget was taken from it. */
const taken = (before: BudgetRow, place: Place): DomainEvent =>
  budgetEvents.unsharedFromGroup(
    { id: before.id, version: before.version + 1, ...ownerOf(before) },
    { before: storedOf(before), after: storedOf({ ...before, ...place }) },
  )

async function handOver(
  ctx: SignedIn,
  before: BudgetRow,
  place: Place,
  { premises, events }: { premises: Statement[]; events: DomainEvent[] },
): Promise<BudgetRow> {
  const [after] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: [
            ...mustChange(ctx, before, managingRole(ctx, before)),
            ...premises,
            mustHaveRoom(place),
            ...updateBudgetRow(ctx, before, place),
          ],
          events,
        },
      ],
      conflicts: { 'budgets.name_key': budgetErrors.nameTaken },
    },
    budgetById(ctx, before.id),
  )
  return existingBudget(after)
}
