import { sql } from 'drizzle-orm'
import { commit } from '../../../src/platform/database/database.ts'
import { fileEvents } from '../../../src/platform/log/platform-events.ts'
import { testDone } from '../../support/events.ts'
import { contextWith } from '../../support/service.ts'

interface Downloaded {
  kind?: 'attachment' | 'backup' | 'auditLog'
  id?: string
  bytes?: number
  at?: number
  /** Without one, by a signed link. */
  by?: { id: string }
  owner: { id: string }
}

/** A download as the log has it. */
export function logDownload(told: Downloaded): Promise<undefined> {
  const { kind = 'attachment', id = 'att_gone', bytes = 100, at = Date.now(), by, owner } = told
  const caller = by && { userId: by.id, sessionId: null, tokenHash: null }
  return commit(contextWith({ now: at, ...(caller && { caller }) }), {
    changes: [
      {
        statements: [],
        events: [
          fileEvents.downloaded({
            id,
            resourceType: kind,
            ownerId: owner.id,
            facts: sql`json_object('kind', ${kind}, 'bytes', CAST(${bytes} AS INTEGER))`,
          }),
        ],
      },
    ],
    result: undefined,
  })
}

/** Anything that a user does. */
export const logActivity = (by: { id: string }, at: number): Promise<undefined> =>
  commit(contextWith({ now: at, caller: { userId: by.id, sessionId: null, tokenHash: null } }), {
    changes: [testDone(null)],
    result: undefined,
  })
