import type { Area } from '../../area.ts'
import { eraseTrashJob, purgeTrashJob } from './trash.jobs.ts'
import * as trash from './trash.routes.ts'

export const trashArea: Area = {
  tag: 'Trash',
  operations: [trash],
  jobs: [eraseTrashJob, purgeTrashJob],
  nightly: [purgeTrashJob],
}
