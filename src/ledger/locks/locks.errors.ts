import { errorTable } from '../../domain/errors.ts'

export const lockErrors = errorTable('locks', {
  periodLocked: ['conflict', 'The account is locked through {through}. {how}'],
  forceNotAllowed: [
    'forbidden',
    'The account is locked through {through}. Only its owner, or somebody with the right “manage”, can use force there.',
  ],
})
