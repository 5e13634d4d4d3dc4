import { errorTable } from '../../../domain/errors.ts'

export const ownUserErrors = errorTable('user', {
  deletionScheduled: ['conflict', 'Your account is to be deleted already.'],
  deletionNotScheduled: ['conflict', 'Your account is not about to be deleted.'],
  lastAdministrator: ['conflict', 'You are the last administrator; make somebody else one first.'],
  wipeScheduled: ['conflict', 'Data of yours is to be erased already; undo that first.'],
  wipeNotScheduled: ['notFound', 'No data of yours is about to be erased.'],
  wipeRunning: ['conflict', 'Your data is being erased; it is too late to undo that.'],
  wipeUndone: ['conflict', 'This was undone meanwhile.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  noAvatar: ['notFound', 'You have no picture.'],
  noPicture: ['unsupportedMediaType', 'A picture is a PNG, JPEG or WebP.'],
  notDue: ['conflict', 'This user is not to be erased, or not yet.'],
})
