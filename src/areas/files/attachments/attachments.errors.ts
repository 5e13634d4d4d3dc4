import { errorTable } from '../../../domain/errors.ts'

export const attachmentErrors = errorTable('attachments', {
  notFound: ['notFound', 'There is no such file.'],
  linkNotFound: ['notFound', 'There is no such link.'],
  notAllowed: ['forbidden', 'Only the uploader or a group administrator can change this file.'],
  uploaderOnly: ['forbidden', 'Only the uploader can attach this file to something else.'],
  unknownTarget: ['invalid', 'There is no such transaction or account.'],
  targetNotAllowed: [
    'forbidden',
    'You only see that account; files are attached by who may annotate it.',
  ],
  alreadyLinked: ['conflict', 'The file is attached to that already.'],
  unknownGroup: ['invalid', 'You are in no such group.'],
  groupNotAllowed: ['forbidden', 'Who only views a group uploads nothing for it.'],
  noStorageClass: [
    'conflict',
    'There is no default storage class; an administrator has to choose one.',
  ],
  empty: ['invalid', 'The file is empty.'],
  typeNotAllowed: ['unsupportedMediaType', 'Files of this type are not taken.'],
  quota: ['conflict', 'There is no room for it: delete other files first.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it deals with files on these only.',
  ],
  linkInvalid: ['notFound', 'This link does not work, or does not any more.'],
})
