export { accountIdsWithHistory, mustStillBookOn, visibleAccountIds } from './access.queries.ts'
