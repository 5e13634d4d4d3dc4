export {
  type ArchiveRow,
  archiveColumns,
  insertArchive,
  keepScheduledExports,
} from './backups.queries.ts'
export {
  archiveFile,
  type ArchiveFile,
  deleteArchive,
  type KeptKind,
  openArchiveFile,
} from './backups.usecases.ts'
export { inOneState, makeArchive } from './making/archives.usecases.ts'
