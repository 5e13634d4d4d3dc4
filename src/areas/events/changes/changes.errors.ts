import { errorTable } from '../../../domain/errors.ts'

export const changeErrors = errorTable('changes', {
  notFound: ['notFound', 'You made no such change in the last 30 days.'],
  notReversible: ['conflict', 'This change cannot be undone. {instead}'],
})
