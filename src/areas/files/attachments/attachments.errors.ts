import { errorTable } from '../../../domain/errors.ts'

export const attachmentErrors = errorTable('attachments', {
  notFound: ['notFound', 'This file does not exist.'],
  linkNotFound: ['notFound', 'This link does not exist.'],
  notAllowed: ['forbidden', 'Only the uploader or a group administrator can change this file.'],
  uploaderOnly: ['forbidden', 'Only the uploader can attach this file to something else.'],
  unknownTarget: ['invalid', 'This transaction or account does not exist, or you cannot see it.'],
  targetNotAllowed: [
    'forbidden',
    'You can only view this account. Ask its owner for the permission to annotate it.',
  ],
  alreadyLinked: ['conflict', 'The file is already attached to this.'],
  tooManyLinks: [
    'conflict',
    'A file can be attached to at most 100 transactions and accounts. Detach it from others first.',
  ],
  tooManyFiles: [
    'conflict',
    'A transaction can have at most 100 files, and an account at most 500, including files in the trash. Detach others first.',
  ],
  unknownGroup: ['invalid', 'This group does not exist, or you are not a member of it.'],
  groupNotAllowed: ['forbidden', 'Viewers of a group cannot upload files for it.'],
  noStorageClass: [
    'conflict',
    'There is no default storage class. Ask an administrator to choose one.',
  ],
  empty: ['invalid', 'The file is empty. Send one with content.'],
  typeNotAllowed: [
    'unsupportedMediaType',
    'Files of this type are not allowed. See GET /storage-class for the types that are.',
  ],
  quota: ['conflict', 'The file does not fit into the storage quota. Delete other files first.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, and can be used only for files attached to them.',
  ],
  linkInvalid: ['notFound', 'This link is not valid, or no longer works. Ask for a new one.'],
})
