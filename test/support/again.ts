/** Keeps all that is stored, and gives what puts it back; only the database on Node does (database-on-node.ts). */
let keepAll: (() => () => Promise<void>) | undefined

export const keepBy = (keep: typeof keepAll): unknown => (keepAll = keep)

/**
 * A world that is made once and found as it was made each time that it is asked for: what was stored since is gone then. Where
 * nothing can be put back, it is made anew each time. For files in which no test needs what another one has stored.
 */
export function again<World>(make: () => Promise<World>): () => Promise<World> {
  let kept: { world: World; putBack: () => Promise<void> } | undefined
  return async () => {
    if (kept) {
      await kept.putBack()
      return kept.world
    }
    const world = await make()
    if (keepAll) {
      kept = { world, putBack: keepAll() }
    }
    return world
  }
}
