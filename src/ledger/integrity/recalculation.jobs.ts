import type { Job } from '../../platform/tasks.ts'
import { RECALCULATE, recalculate } from './recalculation.usecases.ts'

export const recalculateJob: Job = {
  kind: RECALCULATE,
  run: (ctx, payload, finish) =>
    recalculate(ctx, payload as Parameters<typeof recalculate>[1], finish),
}
