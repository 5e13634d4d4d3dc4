/** A field that differs, with both values; null for nothing. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

type Fields = Record<string, unknown> | undefined

/** What differs between two images of the same thing, either of which may not be there; compared by their JSON. */
export const fieldChanges = (before: Fields, after: Fields): FieldChange[] =>
  Object.keys(after ?? before ?? {})
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
