import type { Job } from '../../../../platform/tasks.ts'
import { wipe, WIPE_DATA } from './wipe.usecases.ts'

export const wipeDataJob: Job = { kind: WIPE_DATA, run: wipe }
