import { errorTable } from '../../domain/errors.ts'

export const categoryErrors = errorTable('categories', {
  nameTaken: ['conflict', 'There is a category of this name, kind and parent already.'],
  unknownParent: ['invalid', 'There is no such category to be the parent.'],
  kindMismatch: ['invalid', 'The parent is of the other kind.'],
  tooDeep: ['invalid', 'Categories nest 5 levels deep at most.'],
})
