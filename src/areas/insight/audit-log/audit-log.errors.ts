import { errorTable } from '../../../domain/errors.ts'

export const auditLogErrors = errorTable('auditLog', {
  notFound: ['notFound', 'This log entry does not exist.'],
  restrictedToken: [
    'forbidden',
    'This personal access token is restricted to some accounts, and the log covers all of them.',
  ],
  unknownExport: ['notFound', 'This export does not exist.'],
  exportUnderWay: ['conflict', 'An export is already being made. Wait until it is ready.'],
  exportNotReady: ['conflict', 'This export is not ready yet. Wait for its job.'],
  exportNotKept: ['conflict', 'This export failed or has expired. Request a new one.'],
  exportNotMasked: [
    'forbidden',
    'This export shows account numbers and free text, which you may no longer see. Request a new one.',
  ],
  exportTooLarge: [
    'invalid',
    'The search finds more than 200,000 entries. Choose a shorter period.',
  ],
  notSealed: [
    'invalid',
    'The hash chain has fewer commits than that. Start from a smaller number.',
  ],
  sealedMeanwhile: ['conflict', 'Another process is sealing the log.'],
  storedMeanwhile: ['conflict', 'Another process is storing these commits of the log.'],
  redactedMeanwhile: ['conflict', 'These commits were redacted in the meantime.'],
  chainBroken: ['internal', 'The service failed. Try again later.'],
  segmentBroken: ['internal', 'The service failed. Try again later.'],
})
