import type { SQL } from 'drizzle-orm'
import type { Statement } from '../database/statements.ts'

// A command decides changes. A change is the statements that make something true and the events about it, made
// together by the area that owns the table, so that neither can be forgotten.

/** The thing that an event is about. */
export interface Thing {
  /** Null where there is no single one. */
  id: string | null
  /** The type of the resource, where the type of the event does not begin with it. */
  resourceType?: string
  /** The owner of the data, when that is not the actor; null for data without an owner. */
  ownerId?: string | null
  /** The account that it is, or is booked on. If that is shared with a group, the group sees the event. */
  accountId?: string
  /** The group that it happened in, where that does not follow from the account; null where no group sees it. */
  groupId?: string | null
  /** Its version after the event. */
  version?: number
  /** Makes the event a record of the account's history. */
  history?: Computed
  /** JSON text of what the commit made of things: SQL, evaluated after all writes. */
  facts?: SQL | Computed
}

/**
 * JSON text that SQL makes of these values after all writes, as `value->'history'` of a history and `value->'values'` of other
 * facts; of many events the SQL is the same.
 */
export interface Computed {
  values: object
  sql: SQL
}

/** One fact of the log. Only the functions that `defineEvents` makes can make one. */
export interface DomainEvent extends Thing {
  /** `resource.pastTense`, e.g. `account.created`. */
  readonly type: string
  readonly content: object | undefined
  readonly [made]: true
}

declare const made: unique symbol

/** Statements with the events about them; no events for counters, leases and marks of use. */
export interface Change {
  statements: Statement[]
  events: DomainEvent[]
}

/** Statements without events in the log. */
export const withoutEvents = (statements: Statement[]): Change => ({ statements, events: [] })

/** The content of a type of event beside the thing that it is about. Never a secret. */
interface Carried<Content extends object | undefined> {
  readonly content?: Content
}

/** Declares what a type of event carries: the fields of rows as they are stored, amounts in minor units. */
export function carries(): Carried<undefined>
export function carries<Content extends object>(): Carried<Content>
export function carries(): Carried<undefined> {
  return {}
}

/** The content of a creation. */
export interface Created<Row extends object> {
  after: Row
}

/** The content of a deletion: the whole row. */
export interface Deleted<Row extends object> {
  before: Row
}

/** The content of an update: the log keeps only the fields that differ. */
export interface Updated<Row extends object> {
  before: { [Field in keyof Row]?: Row[Field] | undefined }
  after: { [Field in keyof Row]?: Row[Field] | undefined }
}

/** The types of events that most resources have. */
export const lifecycleOf = <Row extends object>() => ({
  created: carries<Created<Row>>(),
  updated: carries<Updated<Row>>(),
  deleted: carries<Deleted<Row>>(),
})

// In brackets, so that of a union of contents any is taken.
type Maker<Content> = [Content] extends [never]
  ? (thing: Thing) => DomainEvent
  : (thing: Thing, content: Content) => DomainEvent

type Makers<Types extends Record<string, Carried<object | undefined>>> = {
  readonly [Verb in keyof Types]: Maker<NonNullable<Types[Verb]['content']>>
}

const declared = new Set<string>()

/** All types of events that the areas declare. */
export const eventTypes = (): ReadonlySet<string> => declared

/**
 * Declares the types of events of one kind of resource, by their verbs, and makes for each the function that makes such
 * events: `accountEvents.created({ id }, { after: account })`.
 */
export function defineEvents<const Types extends Record<string, Carried<object | undefined>>>(
  resource: string,
  types: Types,
): Makers<Types> {
  const makers = Object.keys(types).map((verb) => {
    const type = `${resource}.${verb}`
    if (declared.has(type)) {
      throw new Error(`the event ${type} is declared twice`)
    }
    declared.add(type)
    return [verb, (thing: Thing, content?: object) => ({ ...thing, type, content })]
  })
  return Object.fromEntries(makers) as Makers<Types>
}
