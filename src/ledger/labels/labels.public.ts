export {
  type Label,
  labelsTo,
  lastUseOf,
  MOST_LABELS_MOVED,
  transactionsWith,
} from './labels.queries.ts'
export {
  type Bookable,
  isSameLabels,
  labelsAt,
  type LabelledLine,
  type Labels,
  labelsFrom,
  labelsOf,
  type Moved,
  type Named,
  NO_LABELS,
  ownedBy,
  requireKnown,
  WHOLE,
} from './labels.rules.ts'
export {
  type CategoryLines,
  countOfLines,
  isBookedOn,
  linesOfCategory,
  MOST_LINES_MOVED,
} from './reassignment.queries.ts'
export {
  categoriseLines,
  moveLabels,
  payLines,
  reassignLines,
  releaseLines,
  tagLines,
} from '../journal/relabelling.usecases.ts'
export {
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  putInTrash,
  trashedRowsOf,
} from './trashed.queries.ts'
export { trashedRow } from './trashed.usecases.ts'
