import { errorTable } from '../../../domain/errors.ts'

export const eventErrors = errorTable('events', {
  cursorExpired: [
    'gone',
    'The cursor is older than 30 days, or was given to another user or token. Ask without a cursor, and read everything again.',
  ],
  tooManyAccounts: [
    'conflict',
    'More than {most} accounts are visible, which is the limit. Use a personal access token that is restricted to some of them.',
  ],
})
