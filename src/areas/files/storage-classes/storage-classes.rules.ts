const MIB = 1024 * 1024

/** The greatest size of one file, whatever the limit of its class. */
export const MOST_OBJECT_BYTES = 100 * MIB

/** Words between slashes: nothing that a key could be led astray by. */
export const PREFIX = /^(?:[a-z0-9][a-z0-9_-]*\/)+$/

/** `type/subtype` of RFC 6838 without parameters, in lower case. */
export const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** The fields of a class that can be chosen. */
export interface ClassContent {
  name: string
  r2StorageClass: 'Standard' | 'InfrequentAccess'
  prefix: string
  quotaBytes: number | null
  maxObjectBytes: number
  allowedTypes: string[]
  retentionDays: number | null
  isDefault: boolean
}

/** The fields of a class in a request. */
export type SentContent = { [Field in keyof ClassContent]?: ClassContent[Field] | undefined }

/** Returns the changed class: fields that were not sent stay. */
export const contentAfter = (before: ClassContent, sent: SentContent): ClassContent => ({
  name: sent.name ?? before.name,
  r2StorageClass: sent.r2StorageClass ?? before.r2StorageClass,
  prefix: sent.prefix ?? before.prefix,
  quotaBytes: sent.quotaBytes === undefined ? before.quotaBytes : sent.quotaBytes,
  maxObjectBytes: sent.maxObjectBytes ?? before.maxObjectBytes,
  allowedTypes: sent.allowedTypes ?? before.allowedTypes,
  retentionDays: sent.retentionDays === undefined ? before.retentionDays : sent.retentionDays,
  isDefault: sent.isDefault ?? before.isDefault,
})
