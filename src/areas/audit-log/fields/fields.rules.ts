import type { FieldChange } from '../../../domain/changes.ts'

/** Stands in the place of what is masked. */
export const MASKED = '********'

const ACCOUNT_NUMBERS = ['iban', 'numberLastFour']

/** Words that people typed for themselves and those with whom they share. */
const FREE_TEXT = [
  'alias',
  'aliases',
  'comment',
  'description',
  'externalId',
  'fileName',
  'institution',
  'location',
  'metadata',
  'name',
  'note',
  'payeeRaw',
  'raw',
  'title',
]

/** What the service is set up with: administrators typed its words for everybody. */
const OF_THE_SERVICE = ['identityProvider', 'role', 'settings', 'storageClass', 'task', 'user']

/** Keys by which texts are compared hold the words, too. */
const isText = (field: string): boolean =>
  ACCOUNT_NUMBERS.includes(field) || FREE_TEXT.includes(field.replace(/Key$/, ''))

const isNothing = (value: unknown): boolean => value === null || value === ''

function maskIn(field: string, value: unknown): unknown {
  if (isText(field)) {
    return isNothing(value) ? value : MASKED
  }
  if (Array.isArray(value)) {
    return value.map((one) => maskIn(field, one))
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskIn(name, one)]))
    : value
}

/** Masks account numbers and free text in what a row of the log says of fields, however deep they stand. */
export const masked = (changes: FieldChange[], resourceType: string): FieldChange[] =>
  OF_THE_SERVICE.includes(resourceType)
    ? changes
    : changes.map(({ field, before, after }) => ({
        field,
        before: maskIn(field, before),
        after: maskIn(field, after),
      }))
