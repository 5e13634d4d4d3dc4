import type { Context } from '../../../../platform/context.ts'
import { proverFor } from '../../../../platform/secrets/key-ring.ts'
import type { EventOfCommit } from '../../../../domain/log-lines.ts'
import type { SealRow } from './chain.queries.ts'
import { type AddedEntry, type Sealed, type ChainWalk, walkAlong } from './chain.rules.ts'

export const PURPOSE = 'coffer audit chain v1'

/** Follows seals under the keys that they were made with. */
export function walkFrom(
  ctx: Context,
  from: number,
  sealed: Sealed[],
  added?: AddedEntry,
): ChainWalk {
  const keyIds = [...new Set(sealed.map(({ seal }) => seal.keyId))]
  const provers = keyIds.map((keyId) => proverFor(ctx, PURPOSE, keyId))
  const proverOf = new Map(provers.map((prover) => [prover?.keyId, prover]))
  return walkAlong(sealed, { from, added, proverOf })
}

export function sealedOf(
  seals: SealRow[],
  events: (EventOfCommit & { ownerErased: 0 | 1 })[],
): Sealed[] {
  const eventsOf = Map.groupBy(events, ({ commitNumber }) => commitNumber)
  return seals.map(({ contentHash, hash, keyId, mayLackOrigin, id, ...commit }) => {
    const ownEvents = eventsOf.get(commit.number) ?? []
    return {
      seal: { number: commit.number, contentHash, hash, keyId },
      logged:
        id === null
          ? null
          : {
              commit: { ...commit, id },
              events: ownEvents.map(({ ownerErased: _, ...event }) => event),
            },
      ownersErased: ownEvents.map(({ ownerErased }) => ownerErased === 1),
      mayLackOrigin: mayLackOrigin === 1,
    }
  })
}
