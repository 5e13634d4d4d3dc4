import { errorTable } from '../errors.ts'

/** The errors of files that cannot be read at all. */
export const fileErrors = errorTable('imports', {
  empty: ['invalid', 'The file is empty.'],
  malformed: [
    'invalid',
    'The file is not well-formed {format}: {reason}. Download it again, or in another format.',
  ],
  truncated: [
    'invalid',
    'The file ends before it is complete. Download it again. Nothing was read from it.',
  ],
  noStatements: [
    'invalid',
    'The file is {format}, but it holds no statement of an account. Download a statement.',
  ],
  tooManyRows: ['invalid', 'The file has more than {limit} rows. Divide it into several files.'],
  tooManyAccounts: [
    'invalid',
    'The file has more than {limit} accounts or statements. Divide it into several files.',
  ],
})
