/** Both images of each field that a change touches, as the log keeps them. */
export type Changes<Content> = { [Field in keyof Content]?: [unknown, unknown] }

/** What differs; fields that are not sent, or undefined, do not. Lists and objects are compared by their JSON. */
export function changesBetween<Content extends object>(
  before: { [Field in keyof Content]: unknown },
  after: Content,
): Changes<Content> {
  const fields = (Object.keys(after) as (keyof Content)[]).filter(
    (field) =>
      after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(
    fields.map((field) => [field, [before[field], after[field]]]),
  ) as Changes<Content>
}

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
