export {
  accountIsSeenBy,
  accountIdsWithHistory,
  type Looking,
  lookingLater,
  mustBookOn,
  mustStillSee,
  visibleAccountIds,
} from './access.queries.ts'
