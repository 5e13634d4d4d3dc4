import { daysApart, REACH } from '../matching/weights.ts'
import { bankIdOf, type RowIdentity } from './identity.ts'
import type { StoredMatches } from './passes.ts'
import type { BookableRow, SettledRow } from './rows.ts'
import type {
  Decision,
  DuplicateReason,
  StoredExternalId,
  StoredIdentity,
  StoredState,
} from './verdicts.ts'

/** The stored rows that a piece asked for, indexed by their keys. */
export interface KnownOf {
  identity(accountId: string, identity: RowIdentity): StoredIdentity | undefined
  bankKey(accountId: string, key: string | undefined): readonly StoredIdentity[]
  externalId(row: BookableRow): StoredExternalId | undefined
}

export function indexed({ identities, externalIds }: StoredMatches): KnownOf {
  const byIdentity = new Map(identities.map((one) => [keyOf(one.accountId, one.identity), one]))
  const withKey = identities.filter(({ bankKey }) => bankKey !== undefined)
  const byKey = Map.groupBy(withKey, (one) => keyOf(one.accountId, one.bankKey as string))
  const byExternalId = new Map(
    externalIds.map((one) => [keyOf(one.accountId, one.externalId), one]),
  )
  return {
    identity: (accountId, { byId, byText }) =>
      (byId === undefined ? undefined : byIdentity.get(keyOf(accountId, byId))) ??
      byIdentity.get(keyOf(accountId, byText)),
    bankKey: (accountId, key) =>
      (key === undefined ? undefined : byKey.get(keyOf(accountId, key))) ?? [],
    externalId: (row) => {
      const found = byExternalId.get(keyOf(row.accountId, bankIdOf(row)?.id ?? ''))
      if (found?.isItself) {
        return found
      }
      const isSame = found?.minor === row.minor
      return isSame && daysApart(found, row) <= REACH.sameId ? found : undefined
    },
  }
}

/** The verdict on a row whose identity is stored. */
export function knownAs(row: SettledRow, stored: StoredIdentity): Decision {
  const { identity, state, transactionId } = stored
  const twin = {
    at: row.at,
    ...(transactionId === undefined ? {} : { matchedId: transactionId }),
  }
  if (stored.pending && state === 'kept' && !row.source.pending) {
    return { ...twin, verdict: 'updated' }
  }
  const reason = identity.startsWith('b') ? 'sameId' : 'sameRow'
  return { ...twin, verdict: 'duplicate', reason: duplicateReason(state, reason) }
}

/** Returns why a row is a duplicate: the state of the stored row, or how it was found if it still exists. */
export const duplicateReason = (state: StoredState, reason: DuplicateReason): DuplicateReason =>
  state === 'kept' ? reason : state

const keyOf = (accountId: string, key: string) => `${accountId} ${key}`
