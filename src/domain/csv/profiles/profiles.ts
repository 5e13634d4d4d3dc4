import type { DateOrder } from '../../bank-files/format.ts'
import { foldHeading } from '../words.ts'
import { BANKS } from './banks.ts'
import type { BuiltInProfile } from './profile.ts'
import { OVERSEAS_BANKS } from './overseas-banks.ts'
import { PROGRAMS } from './programs.ts'
import { SERVICES } from './services.ts'

/** Banks that write days in one order, in whatever language their users have their accounts. */
const ORDERS: Partial<Record<DateOrder, string>> = {
  MDY: `chase chase-card capital-one discover citi apple-card bank-of-america-card bank-of-america schwab tangerine`,
  DMY: `starling barclays lloyds natwest nationwide nubank ing-de ing-de-2022 dkb dkb-2022 sparkasse-camt sparkasse-mt940
    volksbank comdirect`,
}
const CREDIT_CARDS = `chase-card capital-one discover amex amex-receipt citi apple-card bank-of-america-card nubank-card`

const orderOf = (key: string) =>
  (['MDY', 'DMY'] as const).find((order) => ORDERS[order]?.split(/\s+/).includes(key))
const cards = new Set(CREDIT_CARDS.split(' '))

/** The banks and programs whose files are known. */
export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = [
  ...SERVICES,
  ...PROGRAMS,
  ...BANKS,
  ...OVERSEAS_BANKS,
].map((profile) => {
  const dateOrder = orderOf(profile.key)
  const reading = dateOrder ? { dateOrder, ...profile.reading } : profile.reading
  return { ...profile, reading, isOfCard: cards.has(profile.key) }
})

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
