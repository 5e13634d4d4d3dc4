import type { Reading, ColumnRole } from '../../bank-files/format.ts'
import type { SourceRow } from '../../bank-files/source.ts'
import { foldHeading } from '../words.ts'

/** Makes rows of our own of the rows of a program: joins splits, pairs transfers. */
export interface RowCombiner {
  add(row: SourceRow): SourceRow[]
  end(): SourceRow[]
}

/** Headings by role; several are divided by `|`. */
type HeadingsByRole = Partial<Record<ColumnRole, string>>

type ProfileReading = Pick<
  Reading,
  'dateOrder' | 'decimal' | 'sign' | 'fee' | 'currency' | 'zeroRows'
>

/** A profile as `banks.json` and the files beside it have it. */
export interface ProfileData {
  key: string
  name: string
  /** For people who edit the file. */
  note?: string
  /** True if its files are of credit cards. */
  isOfCard?: boolean
  /** True, the default, if the headings begin the file in this order; false if they are anywhere among its headings. */
  isInOrder?: boolean
  /** True if some of the files have amounts in the smallest unit of their currency, and others not. */
  hasBothUnits?: boolean
  /** The balance before the first row, where it is always the same. */
  opening?: string
  /** Divided by `|`. */
  headings: string
  /** The columns that are read; others are ignored. */
  columns: HeadingsByRole
  reading?: ProfileReading
}

/** The code of a profile whose rows need more than their columns. */
export interface ProfileCode {
  combine?: (reading: Reading) => RowCombiner
  /** The own accounts that a record names, where no single column names them. */
  accountsOf?: (cell: (heading: string) => string) => string[]
  /** The currencies of the accounts of a record, where no one column tells them; null: that of other records. */
  currenciesOf?: (cell: (heading: string) => string) => (string | null)[]
}

/** A built-in profile for the files of a bank or a program, which are recognised by their headings. */
export interface BuiltInProfile extends Omit<ProfileData, 'headings' | 'note'>, ProfileCode {
  /** Folded. */
  headings: readonly string[]
  isInOrder: boolean
  reading: ProfileReading
}

const listed = (text: string) => text.split('|').map((heading) => heading.trim())

export const builtInProfileFrom = (
  { headings, isInOrder = true, reading = {}, note: _, ...rest }: ProfileData,
  code: ProfileCode = {},
): BuiltInProfile => ({
  ...rest,
  ...code,
  headings: listed(headings).map(foldHeading),
  isInOrder,
  reading,
})

/** The columns of a profile in a file with these headings. */
export function columnsOfProfile({ columns }: BuiltInProfile, headings: readonly string[]) {
  const folded = headings.map(foldHeading)
  const found: Partial<Record<ColumnRole, number[]>> = {}
  for (const [role, names] of Object.entries(columns) as [ColumnRole, string][]) {
    const list = listed(names).map((heading) => folded.indexOf(foldHeading(heading)))
    const there = list.filter((index) => index !== -1)
    if (there.length > 0) {
      found[role] = there
    }
  }
  return found
}
