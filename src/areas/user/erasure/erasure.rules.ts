import type { Statement } from '../../../platform/statements.ts'

/** Whose rows are erased, and which: those that were there at `before`. */
export interface Scope {
  ownerId: string
  before: number
}

export interface Found {
  id: string
  /** What is deleted from the bucket before the row is. */
  objectKey?: string | null
}

/** One kind of rows: how to find some of them, and how to erase those in one commit. */
export interface Kind {
  name: string
  find: (scope: Scope) => Statement<Found[]>
  erase: (ids: string[], scope: Scope) => Statement[]
}
