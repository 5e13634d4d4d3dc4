import { errorTable } from '../../domain/errors.ts'

export const auditLogErrors = errorTable('auditLog', {
  notFound: ['notFound', 'There is no such entry.'],
  restrictedToken: ['forbidden', 'This token is for some accounts; the log is about all.'],
  notSealed: ['invalid', 'The chain is not as long as that.'],
  sealedMeanwhile: ['conflict', 'Somebody else is sealing the log.'],
  chainBroken: ['internal', 'The service failed.'],
})
