export {
  accountIsSeenBy,
  accountIdsWithHistory,
  isUnrestricted,
  keptAccountIds,
  type Looking,
  lookingLater,
  mustBookOn,
  mustStillSee,
  visibleAccountIds,
} from './access.queries.ts'
