import type { Question } from '../../../../domain/bank-files/format.ts'
import type { FileWarning, SourceAccount, SourceRow } from '../../../../domain/bank-files/source.ts'
import type { TargetAccount } from '../../../../domain/imports/rows.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import { foldKey, lastFour } from '../../../../domain/text.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import { findCurrency, isEndedCurrency } from '../../../../domain/currency.ts'
import { accountTypeOf, CREATE, particularsOf } from '../booking/making.rules.ts'
import type { Analysis, ForeignAccount, MadeAccount, Mapping } from '../imports.rules.ts'

/** The value in a mapping for an account of the file whose rows are left out. */
export const IGNORE = 'ignore'

/** Accounts that the caller may book on. */
export const writableAmong = (views: AccountView[]): AccountView[] =>
  views.filter(({ account, seen }) => account.status === 'open' && seen.rank >= rankOf('write'))

const plain = (text: string | null | undefined) =>
  (text ?? '').replaceAll(/[^0-9a-z]/gi, '').toUpperCase()

/** The one account that fits; undefined where none or several do. */
function onlyOne(views: AccountView[], fits: (view: AccountView) => boolean): string | undefined {
  const [first, ...more] = views.filter(fits)
  return more.length === 0 ? first?.account.id : undefined
}

/** The own account that a file names, by IBAN, else by number, else by name. */
function accountNamed(
  { iban, number, name }: SourceAccount,
  views: AccountView[],
): string | undefined {
  const ibanKey = plain(iban)
  const numberKey = plain(number)
  const nameKey = foldKey(name ?? '')
  return (
    (ibanKey === ''
      ? undefined
      : onlyOne(views, ({ account }) => plain(account.iban) === ibanKey)) ??
    (numberKey.length < 4
      ? undefined
      : (onlyOne(views, ({ account }) => plain(account.iban).endsWith(numberKey)) ??
        onlyOne(
          views,
          ({ account }) => plain(account.numberLastFour) === plain(lastFour(numberKey)),
        ))) ??
    (nameKey === '' ? undefined : onlyOne(views, ({ account }) => account.nameKey === nameKey))
  )
}

/** The accounts of a file with what they are mapped to, and the questions about them that are open. */
export function mapAccounts(
  found: SourceAccount[],
  { accountId, accountMap = {}, newAccounts = {}, currency }: Mapping,
  views: AccountView[],
  { newId, baseCurrency }: { newId: () => string; baseCurrency: string },
): { accounts: ForeignAccount[]; questions: Question[] } {
  const named = found.length === 0 ? [{ key: '' }] : found
  const writable = writableAmong(views)
  const isWritable = (id: string | undefined) => writable.some(({ account }) => account.id === id)
  // Rows that name no account belong to the account of the request, or else to the only account of the file.
  const [first, ...others] = named.filter(({ key }) => key !== '')
  const only = others.length === 0 ? first : undefined
  const created = new Map<string, MadeAccount>()
  const suggested = (one: SourceAccount) => {
    const key = one.key === '' ? (only?.key ?? '') : one.key
    const { name, type } = particularsOf(one.key === '' ? (only ?? one) : one)
    // An account may be called as something that every object has.
    const said = Object.hasOwn(newAccounts, key) ? newAccounts[key] : undefined
    const ofFile = (one.key === '' ? (only ?? one) : one).currency
    const known = [said?.currency, ofFile, currency].find(
      (code) => code !== undefined && findCurrency(code) !== undefined,
    )
    return {
      ...{ key, name: said?.name ?? name, type: said?.type ?? type },
      currency: known ?? (said ? baseCurrency : ''),
    }
  }
  const accounts = named.map((one): ForeignAccount => {
    const meant = one.key === '' ? only : one
    const wanted =
      accountMap[one.key] ??
      (one === only || one.key === '' ? accountId : undefined) ??
      (meant && (accountMap[meant.key] ?? accountNamed(meant, writable)))
    if (wanted === CREATE) {
      const { key, ...particulars } = suggested(one)
      const isReal = findCurrency(particulars.currency) !== undefined
      const create = created.get(key) ?? { id: newId(), ...particulars }
      created.set(key, create)
      return { ...one, rows: 0, accountId: CREATE, ...(isReal ? { create } : {}) }
    }
    const isKnown = wanted === IGNORE || isWritable(wanted)
    return { ...one, rows: 0, accountId: isKnown ? (wanted ?? null) : null }
  })
  const open = accounts.filter((one) => one.accountId === null)
  const unsaid = accounts.filter(({ accountId: own, create }) => own === CREATE && !create)
  const otherCurrencies = currencyQuestions(accounts, writable, currency)
  if (open.length > 0) {
    const foreign = open.map((one) => ({ ...one, suggested: suggested(one) }))
    const kind = others.length === 0 ? 'account' : 'accounts'
    const question = accountQuestion(kind, foreign, writable, baseCurrency)
    return { accounts, questions: [question, ...otherCurrencies] }
  }
  if (unsaid.length > 0) {
    const raw = unsaid.map(({ key }) => ({ line: 0, raw: key.slice(0, 100) }))
    return {
      accounts,
      questions: [{ key: 'currency', options: [baseCurrency], evidence: raw }],
    }
  }
  return { accounts, questions: otherCurrencies }
}

/** An account of the file with what an account that is created for it would be. */
type OpenAccount = ForeignAccount & { suggested: Omit<MadeAccount, 'id'> & { key: string } }

/** Asks for the own accounts of those of the file that none is known for. */
function accountQuestion(
  kind: 'account' | 'accounts',
  open: OpenAccount[],
  writable: AccountView[],
  baseCurrency: string,
): Question {
  const options = [...writable.map(({ account }) => account.id), CREATE]
  const evidence = open.map(({ key, iban, number, name, line = 0 }) => ({
    line,
    raw: (iban ?? number ?? name ?? key).slice(0, 100),
  }))
  const choices = [
    ...writable.map(({ account: { id, name, type, currency } }) => ({
      ...{ option: id, name, type, currency },
    })),
    ...new Map(
      open.map(({ suggested: { key, currency, ...particulars } }) => {
        const make = { option: CREATE, foreign: key, ...particulars }
        return [key, { ...make, currency: currency === '' ? baseCurrency : currency }]
      }),
    ).values(),
  ]
  return kind === 'account'
    ? { key: kind, options, choices, evidence: evidence.filter(({ raw }) => raw !== '') }
    : { key: kind, options: [...options, IGNORE], choices, evidence }
}

/** The only currency that a file names; undefined if it names several, as one answer cannot be about all of them. */
function onlyCurrencyOf(accounts: SourceAccount[]): string | undefined {
  const [only, ...others] = new Set(accounts.flatMap(({ currency }) => currency ?? []))
  return others.length === 0 ? only : undefined
}

/**
 * Returns a row in the currency of its account if the user has said that the file means that one by the one it names. Rows of
 * an account that has others, too, those of a file in several currencies, and those in a currency that has ended mean what they name.
 */
export function asMeant(
  row: SourceRow,
  own: string,
  { accounts, mapping }: Pick<Analysis, 'accounts' | 'mapping'>,
): SourceRow {
  const { currency, ...rest } = row
  const named = accounts.find(({ key }) => key === row.account)?.currency
  return currency === undefined ||
    currency === own ||
    currency !== named ||
    mapping.currency !== own ||
    isEndedCurrency(currency) ||
    onlyCurrencyOf(accounts) === undefined
    ? row
    : { ...rest, warnings: [...row.warnings, 'currencyDiffers'] }
}

/**
 * A file that is in another currency than the account may be the wrong file. Rows of a file in several currencies, or in one that has
 * ended, are errors then.
 */
function currencyQuestions(
  accounts: ForeignAccount[],
  views: AccountView[],
  answered: string | undefined,
): Question[] {
  if (onlyCurrencyOf(accounts) === undefined) {
    return []
  }
  const other = accounts.flatMap(({ key, currency, accountId, create, line = 0 }) => {
    const account = create ?? views.find((one) => one.account.id === accountId)?.account
    const own = account?.currency
    return own === undefined ||
      currency === undefined ||
      own === currency ||
      own === answered ||
      isEndedCurrency(currency)
      ? []
      : [{ own, line, raw: `${key} ${currency}`.trim() }]
  })
  return other.length === 0
    ? []
    : [
        {
          key: 'currency',
          options: [...new Set(other.map(({ own }) => own))],
          evidence: other.map(({ line, raw }) => ({ line, raw: raw.slice(0, 100) })),
        },
      ]
}

/** The types of accounts that statements of cards may be of. */
const OF_CARDS: ReadonlySet<string> = new Set(['creditCard', 'lineOfCredit'])

/** A card's file for an account that is none, or the other way, may be the wrong file. */
export const typeWarnings = (accounts: ForeignAccount[], views: AccountView[]): FileWarning[] =>
  accounts.flatMap(({ key, type, accountId }) => {
    const own = views.find(({ account }) => account.id === accountId)?.account
    const fileType = accountTypeOf(type)
    if (fileType === undefined || own === undefined) {
      return []
    }
    return OF_CARDS.has(fileType) === OF_CARDS.has(own.type)
      ? []
      : [
          {
            ...{ code: 'accountTypeDiffers', foreign: key, accountId: own.id },
            ...{ accountName: own.name, fileType: fileType, accountType: own.type },
          },
        ]
  })

/** The own account, or `ignore`, for each account of the file. */
export type Targets = Map<string, TargetAccount | typeof IGNORE>

export const targetsOf = (accounts: ForeignAccount[], views: AccountView[]): Targets =>
  new Map(
    accounts.flatMap(({ key, accountId, create }): [string, TargetAccount | typeof IGNORE][] => {
      if (create) {
        return [[key, create]]
      }
      const account = views.find((one) => one.account.id === accountId)?.account
      if (account) {
        return [[key, { id: account.id, currency: account.currency }]]
      }
      return accountId === IGNORE ? [[key, IGNORE]] : []
    }),
  )
