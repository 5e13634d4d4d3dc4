export {
  type ArchiveRow,
  archiveColumns,
  deleteArchiveRow,
  insertArchive,
} from './backups.queries.ts'
export { inOneState, makeArchive, type Pass } from './making/archives.usecases.ts'
