import {
  carries,
  type Change,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../src/platform/log/events.ts'
import type { Statement } from '../../src/platform/database/statements.ts'

interface Row {
  name: string
  note: string | null
  version: number
  createdAt: number
  updatedAt: number
}

export const testEvents = defineEvents('test', {
  done: carries(),
  worked: carries(),
  told: carries<{ word: string; owner?: string | null }>(),
  created: carries<Created<Row>>(),
  updated: carries<Updated<Row>>(),
  deleted: carries<Deleted<Row>>(),
})

/** Statements of a test, with an event about the thing that has this id. */
export const testDone = (id: string | null, statements: Statement[] = []): Change => ({
  statements,
  events: [testEvents.done({ id })],
})
