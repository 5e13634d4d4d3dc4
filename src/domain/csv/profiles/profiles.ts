import { foldHeading } from '../words.ts'
import { actualRows } from './actual.ts'
import banks from './banks.json' with { type: 'json' }
import { cofferAccounts, cofferRows } from './coffer.ts'
import { dkbRows } from './dkb.ts'
import { fireflyAccounts, fireflyCurrencies, fireflyRows } from './firefly.ts'
import { gnucashAccounts, gnucashCurrencies, gnucashRows } from './gnucash.ts'
import { monzoUnits } from './monzo.ts'
import { myExpensesRows } from './my-expenses.ts'
import overseasBanks from './overseas-banks.json' with { type: 'json' }
import { paypalRows } from './paypal.ts'
import {
  type BuiltInProfile,
  type ProfileCode,
  type ProfileData,
  builtInProfileFrom,
} from './profile.ts'
import programs from './programs.json' with { type: 'json' }
import { revolutAccounts, revolutRows } from './revolut.ts'
import services from './services.json' with { type: 'json' }
import { splitwiseRows } from './splitwise.ts'
import { walletRows } from './wallets.ts'
import { wiseAccounts, wiseHistoryRows, wiseRows } from './wise.ts'
import { ynabRows } from './ynab.ts'

/** The profiles whose rows need more than their columns, by key. */
export const PROFILE_CODE: Record<string, ProfileCode> = {
  actual: { combine: actualRows },
  alipay: { combine: walletRows },
  coffer: { combine: cofferRows, accountsOf: cofferAccounts },
  dkb: { combine: dkbRows },
  firefly: {
    combine: fireflyRows,
    accountsOf: fireflyAccounts,
    currenciesOf: fireflyCurrencies,
  },
  gnucash: {
    combine: gnucashRows,
    accountsOf: gnucashAccounts,
    currenciesOf: gnucashCurrencies,
  },
  'monzo-minor': { combine: monzoUnits },
  'my-expenses': { combine: myExpensesRows },
  'my-expenses-german': { combine: myExpensesRows },
  paypal: { combine: paypalRows },
  'paypal-german': { combine: paypalRows },
  revolut: { combine: revolutRows, accountsOf: revolutAccounts },
  splitwise: { combine: splitwiseRows },
  wechat: { combine: walletRows },
  wise: { combine: wiseRows },
  'wise-history': {
    combine: wiseHistoryRows,
    accountsOf: wiseAccounts,
    currenciesOf: wiseAccounts,
  },
  ynab: { combine: ynabRows },
  ynab4: { combine: ynabRows },
}

/** The banks and programs whose files are known. */
export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = (
  [...services, ...programs, ...banks, ...overseasBanks] as ProfileData[]
).map((data) => builtInProfileFrom(data, PROFILE_CODE[data.key]))

/** The profile of a file with these headings; of those that fit, the one that names most of them. */
export function builtInProfileFor(headings: readonly string[]): BuiltInProfile | undefined {
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
