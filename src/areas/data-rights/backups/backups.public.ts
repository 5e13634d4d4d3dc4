export {
  type ArchiveRow,
  archiveColumns,
  deleteArchiveRow,
  insertArchive,
  keepScheduledExports,
} from './backups.queries.ts'
export { inOneState, makeArchive } from './making/archives.usecases.ts'
