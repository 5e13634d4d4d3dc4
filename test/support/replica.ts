import { env } from 'cloudflare:workers'
import { onlyReads } from '../../src/hosts/node/connection.ts'
import { copyOfDatabase } from './node-host.ts'

// The database with a replica that lags, as D1 has them: no test finds one in workerd. The replica is a copy as of an earlier
// moment. A session goes where D1 would send it: writes to the primary, reads to the replica unless they ask for more than it has.

/** One batch, where it ran. */
export interface Trip {
  by: 'primary' | 'replica'
  isWriting: boolean
}

export interface ReplicatedDatabase {
  /** What takes the place of `env.DB`. */
  database: D1Database
  /** Lets the replica hear of all that was committed. */
  catchUp: () => Promise<void>
  /** What stands for all that was committed so far. */
  newestBookmark: () => Promise<string>
  /** What sessions were started with, and the trips that were made, since this was asked last. */
  takeSeen: () => { starts: string[]; trips: Trip[] }
}

interface Bound {
  sql: string
  values: unknown[]
}

export async function replicatedDatabase(): Promise<ReplicatedDatabase> {
  let seen: { starts: string[]; trips: Trip[] } = { starts: [], trips: [] }
  const replica = copyOfDatabase()
  /** What the replica has heard of. */
  let heard = ''

  async function catchUp(): Promise<void> {
    const at = await newestBookmark()
    if (at !== heard) {
      replica.update()
      heard = at
    }
  }

  function withSession(start = ANYWHERE): D1DatabaseSession {
    seen.starts.push(start)
    let at = start
    const hasAll = (known: string) => at === ANYWHERE || (at !== PRIMARY && at <= known)

    async function batch(statements: D1PreparedStatement[]): Promise<D1Result[]> {
      const bound = statements as unknown as Bound[]
      const isWriting = !bound.every(({ sql }) => onlyReads(sql))
      const isAtReplica = !isWriting && hasAll(heard)
      const target = isAtReplica ? replica.binding : env.DB
      seen.trips.push({ by: isAtReplica ? 'replica' : 'primary', isWriting })
      const results = await target.batch(
        bound.map(({ sql, values }) => target.prepare(sql).bind(...values)),
      )
      const reached = isAtReplica ? heard : await newestBookmark()
      // As the session of D1 does: it keeps the newest that it was told, be it by the caller.
      at = isConstraint(at) || at < reached ? reached : at
      return results
    }

    return {
      prepare: (sql: string) => ({ bind: (...values: unknown[]) => ({ sql, values }) }),
      batch,
      getBookmark: () => (isConstraint(at) ? null : at),
    } as unknown as D1DatabaseSession
  }

  await catchUp()
  return {
    database: { withSession } as unknown as D1Database,
    catchUp,
    newestBookmark,
    takeSeen: () => {
      const taken = seen
      seen = { starts: [], trips: [] }
      return taken
    },
  }
}

const PRIMARY = 'first-primary'
const ANYWHERE = 'first-unconstrained'
const isConstraint = (start: string) => start === PRIMARY || start === ANYWHERE

/** In the form of D1: what counts comes first, so that later ones sort behind earlier ones. */
const bookmarkOf = (changes: number) =>
  `00000000-${changes.toString(16).padStart(8, '0')}-00000000-${'0'.repeat(32)}`

async function newestBookmark(): Promise<string> {
  const found = await env.DB.prepare('SELECT total_changes() AS changes').all<{ changes: number }>()
  return bookmarkOf(found.results[0]?.changes ?? 0)
}
