export { fileNameInput } from './attachments.contract.ts'
export { attachmentIsSeen, isUploader } from './attachments.queries.ts'
export { PURGE_FILES } from './sweeping/sweeping.usecases.ts'
