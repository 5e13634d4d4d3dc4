import { errorTable } from '../../../domain/errors.ts'

export const reportErrors = errorTable('reports', {
  tooManyPoints: ['invalid', 'The period has more than 1000 points. Choose a longer interval.'],
})
