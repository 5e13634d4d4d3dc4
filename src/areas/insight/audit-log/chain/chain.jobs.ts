import type { Sweep } from '../../../../platform/tasks.ts'
import { sealLog } from './chain.usecases.ts'

export const sealLogSweep: Sweep = sealLog
