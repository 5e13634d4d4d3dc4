export { fileNameInput } from './attachments.contract.ts'
export {
  attachmentById,
  type AttachmentRow,
  attachmentIsSeen,
  isUploader,
  type NamedFile,
  visibleFileNames,
} from './attachments.queries.ts'
export { PURGE_FILES } from './sweeping/sweeping.usecases.ts'
