import { type FieldChange, fieldChanges } from '../../domain/changes.ts'
import { masked } from './fields/fields.rules.ts'

/** Lists of the log that are no pair of what was and what became. */
const LISTS = [
  'ids',
  'kinds',
  'states',
  'childIds',
  'payeeIds',
  'transactionIds',
  'files',
  'findings',
  'failed',
]

const isImage = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is told of a row of the log: whether with account numbers and free text, or with these masked. */
export interface Telling {
  resourceType: string
  isMasked: boolean
}

/** What a row of the log says of fields, masked where it must be. */
export function changesTold(
  changes: string | null,
  { resourceType, isMasked }: Telling,
): FieldChange[] {
  const fields = fieldsIn(changes)
  return isMasked ? masked(fields, resourceType) : fields
}

/** What a row of the log says of fields: of two images what differs, of pairs both, of all else what it is. */
function fieldsIn(changes: string | null): FieldChange[] {
  const { before, after, ...rest } = JSON.parse(changes ?? '{}') as Record<string, unknown>
  const images =
    isImage(before) || isImage(after)
      ? fieldChanges(before as Record<string, unknown>, after as Record<string, unknown>)
      : before === undefined && after === undefined
        ? []
        : [{ field: 'order', before: before ?? null, after: after ?? null }]
  return [
    ...images,
    ...Object.entries(rest).map(([field, value]) =>
      Array.isArray(value) && value.length === 2 && !LISTS.includes(field)
        ? { field, before: value[0] as unknown, after: value[1] as unknown }
        : { field, before: null, after: value },
    ),
  ]
}
