import { errorTable } from '../../../domain/errors.ts'

export const tagErrors = errorTable('tags', {
  notFound: ['notFound', 'There is no such tag.'],
  nameTaken: ['conflict', 'Another tag has this name. Choose another name.'],
  unknownTag: ['invalid', 'There is no such tag.'],
  archivedTag: [
    'invalid',
    'The tag is archived, so it cannot be used for new data. Choose another one or unarchive it.',
  ],
  mergedWithItself: ['invalid', 'A tag cannot be merged into itself. Choose another one.'],
  tooManyLinks: [
    'conflict',
    'The tag is on more than 5,000 transactions and parts, the maximum that one request can change. Remove it from some of them first, or archive it instead.',
  ],
})
