import { errorTable } from '../../../domain/errors.ts'

export const tagErrors = errorTable('tags', {
  notFound: ['notFound', 'There is no such tag.'],
  nameTaken: ['conflict', 'There is a tag of this name already.'],
  unknownTag: ['invalid', 'There is no such tag.'],
  archivedTag: ['invalid', 'The tag is archived; it stays on old transactions only.'],
  mergedWithItself: ['invalid', 'A tag is merged with another one.'],
  tooManyLinks: ['conflict', 'More than 5,000 transactions and parts have it; archive it instead.'],
})
