import type { FileWarning, SourceRow } from '../../../../domain/bank-files/source.ts'

/** Tells of decisions on rows that this reading takes the place of. */
export const dropping = (rows = 0): FileWarning[] =>
  rows === 0 ? [] : [{ code: 'decisionsDropped', rows }]

export const isUnlikely = ({ ignored, warnings }: SourceRow): boolean =>
  ignored === undefined && warnings.includes('dateUnlikely')

/** Tells of rows on days that are unlikely, as of a file whose days and months were taken for each other. */
export const unlikelyDays = (rows: number): FileWarning[] =>
  rows === 0 ? [] : [{ code: 'datesUnlikely', rows }]
