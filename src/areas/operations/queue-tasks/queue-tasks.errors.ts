import { errorTable } from '../../../domain/errors.ts'

export const taskErrors = errorTable('tasks', {
  notFound: ['notFound', 'This task does not exist.'],
  ended: ['conflict', 'The task has already ended.'],
  notEnded: ['conflict', 'Only a task that failed or was cancelled can be retried.'],
  calledOff: [
    'conflict',
    'The user who requested this task cancelled it. Only they can request it again.',
  ],
  notCancellable: ['conflict', 'Jobs of this kind cannot be cancelled. Wait until it has ended.'],
  changedMeanwhile: ['conflict', 'The task changed in the meantime. Load it again.'],
})
