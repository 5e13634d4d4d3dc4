import { foldHeading } from '../words.ts'
import { BANKS } from './banks.ts'
import type { BuiltInProfile } from './profile.ts'
import { OVERSEAS_BANKS } from './overseas-banks.ts'
import { PROGRAMS } from './programs.ts'
import { SERVICES } from './services.ts'

/** The banks and programs whose files are known. */
export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = [
  ...SERVICES,
  ...PROGRAMS,
  ...BANKS,
  ...OVERSEAS_BANKS,
]

/** The profile of a file with these headings; of those that fit, the one that names most of them. */
export function profileOf(headings: readonly string[]): BuiltInProfile | undefined {
  const folded = headings.map(foldHeading)
  const [best] = BUILT_IN_PROFILES.filter((profile) =>
    profile.headings.every((heading, index) =>
      profile.isInOrder ? heading === folded[index] : folded.includes(heading),
    ),
  ).toSorted((a, b) => b.headings.length - a.headings.length)
  return best
}

export const profileNamed = (key: string | undefined): BuiltInProfile | undefined =>
  BUILT_IN_PROFILES.find((profile) => profile.key === key)
