import type { Job } from '../../../../platform/tasks.ts'
import type { TrashScope } from '../../../../platform/owned-data.ts'
import { ERASE_TRASH, eraseTrash, PURGE_TRASH, purgeTrash } from './erasing.usecases.ts'

export const eraseTrashJob: Job = {
  kind: ERASE_TRASH,
  run: (ctx, payload, finish) => eraseTrash(ctx, payload as TrashScope, finish),
}

export const purgeTrashJob: Job = {
  kind: PURGE_TRASH,
  run: (ctx, payload, finish) => purgeTrash(ctx, payload as Pick<TrashScope, 'after'>, finish),
}
