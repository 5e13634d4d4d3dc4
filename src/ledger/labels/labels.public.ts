export { labelsTo, lastUseOf, transactionsWith } from './labels.queries.ts'
export {
  type Bookable,
  isSameLabels,
  labelsAt,
  type LabelledLine,
  type Labels,
  labelsFrom,
  labelsOf,
  type Named,
  NO_LABELS,
  rowsOfOwner,
  requireKnownLabels,
  requireMovable,
  WHOLE,
} from './labels.rules.ts'
export {
  type CategoryLines,
  countOfLines,
  isBookedOn,
  linesOfCategory,
} from './reassignment.queries.ts'
export { moveLabels, reassignLines, releaseLines } from '../journal/relabelling.usecases.ts'
export { putInTrash, relabelTrashed, trashedRowsOf, withoutId } from './trashed.queries.ts'
export { trashedImage } from '../rows/stored-rows.rules.ts'
export { trashedRow } from './trashed.usecases.ts'
