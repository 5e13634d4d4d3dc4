import {
  defineJob,
  integer,
  objectOf,
  optional,
  payloadRecord,
  payloadText,
} from '../../../platform/work/payloads.ts'
import { ERASE_TRASH, eraseTrash, PURGE_TRASH, purgeTrash } from './trash.usecases.ts'

const failed = optional(payloadRecord(objectOf({ deletedAt: integer, id: payloadText })))

export const eraseTrashJob = defineJob({
  kind: ERASE_TRASH,
  payload: { ownerId: payloadText, before: integer, after: optional(payloadText), failed },
  run: eraseTrash,
})

export const purgeTrashJob = defineJob({
  kind: PURGE_TRASH,
  payload: { after: optional(payloadText), failed },
  run: purgeTrash,
})
