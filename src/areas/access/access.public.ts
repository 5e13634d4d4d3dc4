export {
  accountIsSeenBy,
  accountIdsWithHistory,
  isForAccount,
  isUnrestricted,
  keptAccountIds,
  type Looking,
  lookingLater,
  mustBookOn,
  mustStillSee,
  visibleAccountIds,
} from './access.queries.ts'
