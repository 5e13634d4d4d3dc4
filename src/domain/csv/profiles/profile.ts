import type { Reading, Role } from '../../bank-files/format.ts'
import type { SourceRow } from '../../bank-files/source.ts'
import { foldHeading } from '../words.ts'

/** Makes rows of our own of the rows of a program: joins splits, pairs transfers. */
export interface RowCombiner {
  add(row: SourceRow): SourceRow[]
  end(): SourceRow[]
}

/** Headings by role; several are divided by `|`. */
type HeadingsByRole = Partial<Record<Role, string>>

type ProfileReading = Pick<
  Reading,
  'dateOrder' | 'decimal' | 'sign' | 'fee' | 'currency' | 'zeroRows'
>

/** A built-in profile for the files of a bank or a program, which are recognised by their headings. */
export interface BuiltInProfile {
  key: string
  name: string
  /** Folded. */
  headings: readonly string[]
  /** Whether the headings begin the file in this order; else they are among its headings. */
  isInOrder: boolean
  /** What is not named is not read. */
  columns: HeadingsByRole
  reading: ProfileReading
  combine?: (reading: Reading) => RowCombiner
  /** The balance before the first row, where it is always the same. */
  opening?: string
  /** Whether its files are of credit cards. */
  isOfCard?: boolean
  /** Whether some of the files have amounts in the smallest unit of their currency, and others not. */
  hasBothUnits?: boolean
  /** The own accounts that a record names, where that is not told by one column. */
  accountsOf?: (cell: (heading: string) => string) => string[]
  /** The currencies of the accounts of a record, where no one column tells them; null: that of other records. */
  currenciesOf?: (cell: (heading: string) => string) => (string | null)[]
}

const listed = (text: string) => text.split('|').map((heading) => heading.trim())

type Further = Partial<
  Pick<
    BuiltInProfile,
    'reading' | 'combine' | 'opening' | 'hasBothUnits' | 'accountsOf' | 'currenciesOf' | 'isInOrder'
  >
>

/** @param headings divided by `|`, with those that a role in `columns` names */
export const profile = (
  key: string,
  name: string,
  headings: string,
  columns: HeadingsByRole,
  { reading = {}, isInOrder = true, ...rest }: Further = {},
): BuiltInProfile => ({
  key,
  name,
  headings: listed(headings).map(foldHeading),
  isInOrder,
  columns,
  reading,
  ...rest,
})

/** The columns of a profile in a file with these headings. */
export function columnsOf({ columns }: BuiltInProfile, headings: readonly string[]) {
  const folded = headings.map(foldHeading)
  const found: Partial<Record<Role, number[]>> = {}
  for (const [role, names] of Object.entries(columns) as [Role, string][]) {
    const list = listed(names).map((heading) => folded.indexOf(foldHeading(heading)))
    const there = list.filter((index) => index !== -1)
    if (there.length > 0) {
      found[role] = there
    }
  }
  return found
}
