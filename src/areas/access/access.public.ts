export {
  accountIsSeenBy,
  accountIdsWithHistory,
  mustBookOn,
  mustStillSee,
  visibleAccountIds,
} from './access.queries.ts'
