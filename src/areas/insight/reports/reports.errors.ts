import { errorTable } from '../../../domain/errors.ts'

export const reportErrors = errorTable('reports', {
  tooManyPoints: ['invalid', 'The report would have more than {most}. {remedy}'],
  spanInvalid: ['invalid', 'The span of the report is not valid: {problem}.'],
  spanTooLong: [
    'invalid',
    'By day or week, a report can have at most {most} days, but this one has {days}. Choose a shorter span, or interval=month.',
  ],
  tooManyAmounts: [
    'invalid',
    'The report would convert more than {most} amounts of accounts in other currencies. Choose a shorter span or fewer accounts, or, except in charts, currency=none.',
  ],
  tooManyRows: [
    'invalid',
    'The report would look at more than {most} lines of transactions. Choose a shorter span or fewer accounts.',
  ],
  unknownAccount: ['invalid', 'The account {id} does not exist, or you do not see it.'],
})
