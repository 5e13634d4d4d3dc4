import { errorTable } from '../../../domain/errors.ts'

export const tagErrors = errorTable('tags', {
  notFound: ['notFound', 'There is no such tag.'],
  nameTaken: ['conflict', 'A tag with this name already exists.'],
  unknownTag: ['invalid', 'There is no such tag.'],
  archivedTag: [
    'invalid',
    'The tag is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  mergedWithItself: ['invalid', 'A tag cannot be merged into itself. Choose another one.'],
  tooManyLinks: [
    'conflict',
    'More than 5,000 transactions and parts have this tag. Archive it instead.',
  ],
})
