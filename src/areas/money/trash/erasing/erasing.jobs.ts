import { defineJob, integer, optional, text } from '../../../../platform/payloads.ts'
import { ERASE_TRASH, eraseTrash, PURGE_TRASH, purgeTrash } from './erasing.usecases.ts'

export const eraseTrashJob = defineJob({
  kind: ERASE_TRASH,
  payload: { ownerId: text, before: integer, after: optional(text) },
  run: eraseTrash,
})

export const purgeTrashJob = defineJob({
  kind: PURGE_TRASH,
  payload: { after: optional(text) },
  run: purgeTrash,
})
