import { errorTable } from '../../../domain/errors.ts'

export const notificationErrors = errorTable('notifications', {
  notFound: ['notFound', 'There is no such notification, or you no longer see what it is about.'],
  unknown: [
    'invalid',
    'There is no such notification, or another one has taken its place. Read the list again.',
  ],
})
