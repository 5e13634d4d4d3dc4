// What the log keeps of the content of an event. It is half of all bytes of a ledger that is posted in bulk, so nothing
// is said twice: of a change only the fields that differ, of what is new or gone no nulls, and nothing that stands in
// the columns of the event.

type Fields = Record<string, unknown>

/** In the columns of the event or its commit. */
const IN_COLUMNS = new Set(['id', 'ownerId', 'version', 'createdAt', 'updatedAt'])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined when there is nothing to keep. */
export function contentOf(content: object | undefined): object | undefined {
  if (!content) {
    return undefined
  }
  const { before, after, ...rest } = content as Fields
  const kept = { ...imagesOf(before, after), ...rest }
  return Object.values(kept).some((value) => value !== undefined) ? kept : undefined
}

function imagesOf(before: unknown, after: unknown): Fields {
  if (isFields(before) && isFields(after)) {
    const fields = Object.keys({ ...before, ...after }).filter(
      (field) =>
        !IN_COLUMNS.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    const only = (image: Fields) => Object.fromEntries(fields.map((field) => [field, image[field]]))
    return fields.length === 0 ? {} : { before: only(before), after: only(after) }
  }
  return {
    ...(before === undefined ? {} : { before: withoutNulls(before) }),
    ...(after === undefined ? {} : { after: withoutNulls(after) }),
  }
}

const withoutNulls = (image: unknown): unknown =>
  isFields(image)
    ? Object.fromEntries(
        Object.entries(image).filter(
          ([field, value]) => value !== null && value !== undefined && !IN_COLUMNS.has(field),
        ),
      )
    : image
