import {
  defineJob,
  integer,
  objectOf,
  optional,
  recordOf,
  text,
} from '../../../platform/work/payloads.ts'
import { ERASE_TRASH, eraseTrash, PURGE_TRASH, purgeTrash } from './trash.usecases.ts'

const failed = optional(recordOf(objectOf({ deletedAt: integer, id: text })))

export const eraseTrashJob = defineJob({
  kind: ERASE_TRASH,
  payload: { ownerId: text, before: integer, after: optional(text), failed },
  run: eraseTrash,
})

export const purgeTrashJob = defineJob({
  kind: PURGE_TRASH,
  payload: { after: optional(text), failed },
  run: purgeTrash,
})
