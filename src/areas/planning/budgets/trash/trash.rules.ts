import type { BudgetRow } from '../budgets.rules.ts'
import { owns } from '../../../identity/access/access.public.ts'

/** Tells whether a deleted budget is in the caller's trash: a group's is in that of the owner of the group. */
export const isInOwnTrash = (
  { caller }: { caller: { userId: string } },
  { ownerId, groupOwnerId }: BudgetRow,
): boolean => owns(caller, { ownerId: ownerId ?? groupOwnerId })
