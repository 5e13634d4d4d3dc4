export {
  accountIdsSeenBy,
  accountIdsWithHistory,
  mustStillBookOn,
  visibleAccountIds,
} from './access.queries.ts'
