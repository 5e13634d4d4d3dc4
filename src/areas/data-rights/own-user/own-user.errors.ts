import { errorTable } from '../../../domain/errors.ts'

export const ownUserErrors = errorTable('user', {
  deletionScheduled: ['conflict', 'Your user account is already scheduled for deletion.'],
  deletionNotScheduled: ['conflict', 'Your user account is not scheduled for deletion.'],
  lastAdministrator: ['conflict', 'You are the last administrator. Appoint another one first.'],
  wipeScheduled: ['conflict', 'A wipe of your data is already scheduled. Undo it first.'],
  restoreUnderWay: ['conflict', 'A backup is being restored. Wait until it has ended.'],
  wipeNotScheduled: ['notFound', 'No wipe of your data is scheduled.'],
  wipeRunning: ['conflict', 'Your data is being erased. It is too late to undo that.'],
  wipeUndone: ['conflict', 'The wipe was undone in the meantime.'],
  unknownAccount: ['invalid', 'This account does not exist, or you cannot see it.'],
  noAvatar: ['notFound', 'You have no picture. Set one with PUT /user/avatar.'],
  noPicture: ['unsupportedMediaType', 'The picture must be a PNG, JPEG or WebP file.'],
  notDue: ['conflict', 'This user is not due to be erased.'],
})
