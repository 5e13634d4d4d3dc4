import { type CalendarDate, isCalendarDate } from '../../domain/calendar.ts'
import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { Statement } from '../database/statements.ts'

/** One kind of work outside of a request; made by `defineJob`. */
export interface Job {
  kind: string
  /** Codes of failures that only the operator can end: such a task waits for them and never dies. */
  waitsFor?: string[]
  /** True of work that mostly waits for servers of others: it takes turns of its own, so that no other work waits with it. */
  waits?: boolean
  /** Runs once per lease. `finish` belongs into its commit: the work and its completion are one. */
  run: (ctx: Context, payload: unknown, finish: Statement[]) => Promise<unknown>
}

// The payload of a task is in a row that another version of the service may have stored. A job gets it only when it
// has the form that the job takes: with a missing owner, or a text in place of a time, SQL would do something else.

/**
 * Gives a value as what a job takes.
 * @throws AppError `tasks.badPayload` when it is not
 */
export type Take<Value> = (value: unknown) => Value

export const payloadText: Take<string> = (value) => (typeof value === 'string' ? value : refuse())

export const integer: Take<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse()

export const payloadDate: Take<CalendarDate> = (value) =>
  typeof value === 'string' && isCalendarDate(value) ? value : refuse()

export const optional =
  <Value>(take: Take<Value>): Take<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : take(value)

export const oneOf =
  <Value extends string>(values: readonly Value[]): Take<Value> =>
  (value) =>
    values.find((one) => one === value) ?? refuse()

export const payloadList =
  <Value>(take: Take<Value>): Take<Value[]> =>
  (value) =>
    Array.isArray(value) ? value.map((one) => take(one)) : refuse()

export const payloadRecord =
  <Value>(take: Take<Value>): Take<Record<string, Value>> =>
  (value) =>
    Object.fromEntries(Object.entries(object(value)).map(([name, one]) => [name, take(one)]))

/** The reader of each field; other fields are ignored. */
type Fields<Shape> = { [Name in keyof Shape]: Take<Shape[Name]> }

export const objectOf =
  <Shape extends object>(fields: Fields<Shape>): Take<Shape> =>
  (value) => {
    const found = object(value)
    const taken = Object.entries<Take<unknown>>(fields).map(([name, take]) => [
      name,
      take(found[name]),
    ])
    return Object.fromEntries(taken) as Shape
  }

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : refuse()

function refuse(): never {
  throw new AppError(
    'invalid',
    'tasks.badPayload',
    'The payload of the task is not what its job takes.',
  )
}

interface Definition<Payload extends object> extends Omit<Job, 'run'> {
  payload: Fields<Payload>
  run: (ctx: Context, payload: Payload, finish: Statement[]) => Promise<unknown>
}

/** A job that runs only with a payload that it takes; a task with another one fails at once. */
export const defineJob = <Payload extends object>(definition: Definition<Payload>): Job => {
  const { payload, run, ...job } = definition
  const take = objectOf(payload)
  return { ...job, run: async (ctx, given, finish) => run(ctx, take(given), finish) }
}

/** @throws AppError `tasks.badPayload` where the text is no JSON */
export function parsePayload(stored: string): unknown {
  try {
    return JSON.parse(stored) as unknown
  } catch {
    return refuse()
  }
}
