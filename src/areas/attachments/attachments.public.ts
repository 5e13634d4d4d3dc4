export { eraseAttachments, filesOfUser } from './attachments.queries.ts'
