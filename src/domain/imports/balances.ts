import { type Hash, identitiesAs } from './identity.ts'
import { knownAs } from './known.ts'
import type { BookableRow } from './rows.ts'
import type { Decision, StoredIdentity } from './verdicts.ts'

/** The balances of a file's rows, by account: whether each follows from the one before, up or down the file. */
export interface Chains {
  see: (row: BookableRow) => void
  isUnbroken: (accountId: string) => boolean
}

interface Chain {
  balance: number
  /** The amounts from the last balance on, with and without those of its own row. */
  sinceWith: number
  since: number
  links: number
  isUp: boolean
  isDown: boolean
}

export function watchChains(): Chains {
  const chains = new Map<string, Chain>()
  return {
    see: ({ accountId, minor, balanceMinor }) => {
      const chain = chains.get(accountId)
      if (balanceMinor === undefined) {
        if (chain !== undefined) {
          chain.since += minor
          chain.sinceWith += minor
        }
        return
      }
      const { links = -1, isUp = true, isDown = true } = chain ?? {}
      const { balance = 0, since = 0, sinceWith = 0 } = chain ?? {}
      chains.set(accountId, {
        balance: balanceMinor,
        since: 0,
        sinceWith: minor,
        links: links + 1,
        isUp: isUp && (links < 0 || balanceMinor === balance + since + minor),
        isDown: isDown && (links < 0 || balanceMinor === balance - sinceWith),
      })
    },
    isUnbroken: (accountId) => {
      const chain = chains.get(accountId)
      return chain !== undefined && chain.links > 0 && (chain.isUp || chain.isDown)
    },
  }
}

/** A duplicate whose balance is not that of the stored row. */
export interface SuspectDuplicate {
  row: BookableRow
  decision: Decision
}

/** Beyond this, the balances of the file are of another kind than the stored ones. */
export const MOST_SUSPECTS = 1_000
const MOST_OF_KIND = 100

/**
 * Compares the balance of duplicates with all stored rows of their kind: one that has the same balance is the twin;
 * where none has, and the file's own balances are in order, one of two equal rows may be missing.
 *
 * @param storedOf all stored identities with the date and amount of a row
 */
export function compareBalances(
  suspects: readonly SuspectDuplicate[],
  storedOf: (row: BookableRow) => readonly StoredIdentity[],
  { hash, chains }: { hash: Hash; chains: Chains },
): Decision[] {
  return suspects.flatMap(({ row, decision }): Decision[] => {
    const sameDay = storedOf(row).slice(0, MOST_OF_KIND)
    const kind = new Set(sameDay.flatMap((_, index) => identitiesAs(hash, row, index + 1)))
    const ofKind = sameDay.filter(({ identity }) => kind.has(identity))
    const twin = ofKind.find(({ balanceMinor }) => balanceMinor === row.balanceMinor)
    if (twin !== undefined) {
      return [knownAs(row, twin)]
    }
    return chains.isUnbroken(row.accountId)
      ? [{ ...decision, warnings: [...(decision.warnings ?? []), 'balanceDiffers'] }]
      : []
  })
}
