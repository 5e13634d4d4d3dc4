export {
  accountIsSeenBy,
  accountIdsWithHistory,
  mustStillBookOn,
  visibleAccountIds,
} from './access.queries.ts'
