import { errorTable } from '../../../domain/errors.ts'

export const reportErrors = errorTable('reports', {
  tooManyPoints: ['invalid', 'This span has more than 1000 points; choose a longer interval.'],
})
