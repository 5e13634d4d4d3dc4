export { type AccountPermission, mustStillBookOn, visibleAccountIds } from './access.queries.ts'
