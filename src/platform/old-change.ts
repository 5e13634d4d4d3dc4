import type { SQL } from 'drizzle-orm'
import type { Commit, OldChange } from './database.ts'
import type { DomainEvent } from './events.ts'

// Until every area tells of its events itself.

export interface LogEntry {
  action: string
  resource: { type: string; id: string | null }
  ownerId?: string
  actorId?: string
  accountId?: string
  bookedOn?: string
  groupId?: string
  changes?: Record<string, unknown>
  facts?: SQL
  items?: LogItem[]
}

export interface LogItem {
  resourceId: string
  changes: Record<string, unknown>
}

export function commitOf<Result>(change: Commit<Result> | OldChange<Result>): Commit<Result> {
  if ('changes' in change && Array.isArray(change.changes)) {
    return change as Commit<Result>
  }
  const {
    action,
    resource,
    ownerId,
    actorId,
    accountId,
    bookedOn,
    groupId,
    changes,
    facts,
    items = [],
    writes,
    ...rest
  } = change as OldChange<Result>
  const on = bookedOn ?? accountId
  const isAlone = !action.startsWith(`${resource.type}.`)
  const head = {
    id: resource.id,
    type: action,
    content: changes,
    ...(isAlone ? { resourceType: resource.type } : {}),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(on === undefined ? {} : { accountId: on }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(accountId !== undefined && facts ? { history: facts } : facts ? { facts } : {}),
  } as unknown as DomainEvent
  const parts = items.map(
    (item) =>
      ({
        id: item.resourceId,
        type: action,
        resourceType: resource.type,
        content: item.changes,
        ...(ownerId === undefined ? {} : { ownerId }),
      }) as unknown as DomainEvent,
  )
  return {
    ...rest,
    ...(actorId === undefined ? {} : { actorId }),
    changes: [{ statements: writes, events: [head, ...parts] }],
  }
}
