import { errorTable } from '../../../domain/errors.ts'

export const taskErrors = errorTable('tasks', {
  notFound: ['notFound', 'There is no such task.'],
  ended: ['conflict', 'The task has ended already.'],
  notEnded: ['conflict', 'Only a task that failed or was cancelled is tried again.'],
  calledOff: ['conflict', 'Who asked for this called it off; they can ask for it again.'],
  notCancellable: ['conflict', 'This cannot be called off here.'],
  changedMeanwhile: ['conflict', 'The task went on meanwhile; look at it again.'],
})
