import type { SignedIn } from '../../platform/context.ts'
import { Memory } from '../../platform/database/memory.ts'

/** How many owners a process notes. */
const OWNERS_NOTED = 1000

/** Owners whose rules or usual categories this process changed since it read them. */
const outdated = new Memory<true>(OWNERS_NOTED)

/** To be called after a change of the caller's rules or usual categories: the next booking reads them at once. */
export const noteChangedRules = ({ caller }: SignedIn): void => outdated.set(caller.userId, true)

export const areRulesOutdated = (ownerId: string): boolean => outdated.get(ownerId) === true

/** To be called once they are read. */
export const noteReadRules = (ownerId: string): void => outdated.forget(ownerId)
