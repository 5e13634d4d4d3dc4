import type { SourceRow } from '../../../../domain/bank-files/source.ts'
import type { Mapping } from '../imports.rules.ts'

/**
 * Returns why a row that could be booked is ignored. Pending rows of a bank may never be posted; an export has all that there is.
 */
export function whyIgnored(
  { pending, date }: SourceRow,
  { pending: said, from, through }: Mapping,
  isOwn: boolean,
): SourceRow['ignored'] {
  const wanted = said ?? (isOwn ? 'import' : 'skip')
  if (pending && wanted === 'skip') {
    return 'pending'
  }
  const isOutside =
    date !== undefined &&
    ((from !== undefined && date < from) || (through !== undefined && date > through))
  return isOutside ? 'outsideSpan' : undefined
}
