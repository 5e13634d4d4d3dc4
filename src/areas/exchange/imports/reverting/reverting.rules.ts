/** Lines of the transactions of one commit. */
export const MOST_LINES = 20_000
/** The maximum number of things in the list of what stays. */
export const MOST_KEPT = 1000

export interface RevertInput {
  dryRun?: boolean | undefined
  edited?: 'keep' | 'remove' | undefined
  force?: boolean | undefined
}

const SENTENCES: Record<string, string> = {
  inTrash: 'It is in the trash already.',
  locked: 'Its day is locked for the account. Send `force` if you may use it, or end the lock.',
  reconciled: 'It is reconciled. Send `force: true` to take it back all the same.',
  linked: 'It is linked with another transaction. Send `force: true` to take it back all the same.',
  transfer:
    'It is part of a transfer. Send `force: true` to take it back all the same, and `edited: remove` if the transfer was changed.',
  outOfRange:
    'Without it, or with its earlier amount, a balance would become too large. Make room for it, and revert the import again.',
  otherAccount: 'It is on an account that you, or the token of the request, may not change.',
  inUse: 'Something is still on it.',
}

const EDITED = 'It was changed since. Send `edited: remove` to move it to the trash.'

const FIELDS_KEPT =
  'You changed these fields after the import matched it, so they stay as they are.'

/** Returns a sentence that says why something stays and what to do about it. */
export const messageFor = ({ reason, fields }: Kept): string =>
  fields === undefined ? (SENTENCES[reason] ?? EDITED) : FIELDS_KEPT

export type Choice = Pick<RevertInput, 'edited' | 'force'>

/** Something that a revert leaves, in whole or in part. */
export interface Kept {
  id: string
  reason: string
  /** Of a transaction that was there before the import: what of it keeps its present value. */
  fields?: string[]
}

/** The progress and result of a revert. */
export interface Reverted {
  removed: number
  restored: number
  kept: Kept[]
  /** The last transaction that was looked at. */
  after?: string | null
  /** The account and identity of the last matched row that was looked at. */
  afterAdded?: [accountId: string, identity: string] | null
  /** How many stay that would take a balance out of range, of what was looked at last. */
  beyond?: number
  /** How many were taken back before all were looked at once more. */
  doneBefore?: number
  /** How often all that was left was looked at once more. */
  again?: number
}

/** Begins to look at all that is left; the results add up. Those that stayed as a whole are told of anew. */
export const lookedAtAnew = ({
  removed = 0,
  restored = 0,
  kept = [],
}: Partial<Reverted>): Reverted => ({
  ...{ removed, restored, kept: kept.filter(({ fields }) => fields !== undefined) },
  ...{ after: null, afterAdded: null, beyond: 0, doneBefore: removed + restored },
})

/** How often a revert looks at what stayed once more. A further revert can take back what it leaves. */
const MOST_AGAIN = 3

/** Whether what stayed might go by now: what was taken back since it was looked at may have made room. */
export const mayGoNow = ({
  removed,
  restored,
  beyond = 0,
  doneBefore = 0,
  again = 0,
}: Reverted): boolean => beyond > 0 && removed + restored > doneBefore && again < MOST_AGAIN

/** Rows that stay of a piece because of the range of amounts before the rest of their pieces is not tried in smaller ones. */
const MOST_TRIED_ALONE = 100

/** Whether a piece that would take a balance out of range is tried in smaller pieces. */
export const isTriedInParts = ({ beyond = 0 }: Reverted): boolean => beyond < MOST_TRIED_ALONE
