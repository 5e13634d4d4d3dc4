import { errorTable } from '../../../domain/errors.ts'

export const savedViewErrors = errorTable('savedViews', {
  notFound: ['notFound', 'There is no such saved view.'],
  nameTaken: ['conflict', 'Another saved view has this name. Choose another name.'],
  tooMany: [
    'conflict',
    'There are already {most} saved views, which is the limit. Delete one first.',
  ],
})
