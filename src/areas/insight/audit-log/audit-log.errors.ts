import { errorTable } from '../../../domain/errors.ts'

export const auditLogErrors = errorTable('auditLog', {
  notFound: ['notFound', 'There is no such entry.'],
  restrictedToken: ['forbidden', 'This token is for some accounts; the log is about all.'],
  unknownExport: ['notFound', 'There is no such export.'],
  exportUnderWay: ['conflict', 'An export is being made already.'],
  exportNotReady: ['conflict', 'This export is not made yet.'],
  exportNotKept: ['conflict', 'This export was not made, or is not kept any more.'],
  exportNotMasked: [
    'forbidden',
    'This export shows account numbers and free text, which you may not see any more. Ask for a new export.',
  ],
  exportTooLarge: ['invalid', 'More than 200,000 entries are found; ask for a shorter time.'],
  notSealed: ['invalid', 'The chain is not as long as that.'],
  sealedMeanwhile: ['conflict', 'Somebody else is sealing the log.'],
  storedMeanwhile: ['conflict', 'Somebody else is storing these commits of the log.'],
  redactedMeanwhile: ['conflict', 'Something was removed from these commits meanwhile.'],
  chainBroken: ['internal', 'The service failed.'],
  segmentBroken: ['internal', 'The service failed.'],
})
