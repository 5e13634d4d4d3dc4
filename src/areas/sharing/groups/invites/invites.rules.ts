import { MOST_MEMBERS } from '../../../identity/memberships/memberships.public.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_DAYS = 7
const LONGEST_DAYS = 30
const SHOWN_CHARACTERS = 8

export const usualGroupInviteExpiry = (now: number): number => now + LIFE_DAYS * DAY_MS

export const isGroupInviteExpiry = (instant: number, now: number): boolean =>
  instant > now && instant <= now + LONGEST_DAYS * DAY_MS

/** Days until then, for people. */
export const daysUntil = (instant: number, now: number): number =>
  Math.max(1, Math.floor((instant - now) / DAY_MS))

export const codePrefixOf = (code: string): string => code.slice(0, SHOWN_CHARACTERS)

/** Of one group; more than there may be members need not wait for an answer. */
export const MOST_OPEN = 50

/** Mails in 15 minutes that one user has sent. */
export const MAILS_BY = 20

/** Whether nobody more gets into the group. */
export const isFull = ({ memberCount }: { memberCount: number }): boolean =>
  memberCount >= MOST_MEMBERS
