import { foldKey } from '../../../domain/text.ts'

/** The fields of a profile that users can set. */
export interface ProfileDraft {
  name: string
  locale: string
  timeZone: string
  baseCurrency: string
}

export type SentProfile = { [Field in keyof ProfileDraft]?: ProfileDraft[Field] | undefined }

/** The columns that are set; a field that was not sent is not among them. */
export function profileColumns(sent: SentProfile): Partial<ProfileDraft & { nameKey: string }> {
  const columns = { ...sent, nameKey: sent.name === undefined ? undefined : foldKey(sent.name) }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

export const MOST_AVATAR_BYTES = 512 * 1024

/** By media type, the name that a download gets. */
export const PICTURES: Record<string, string> = {
  'image/png': 'avatar.png',
  'image/jpeg': 'avatar.jpg',
  'image/webp': 'avatar.webp',
}

export const WEEK_DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** The formats of amounts: the separator of groups of digits, and the decimal mark. */
export const NUMBER_FORMATS = [
  'locale',
  'commaDot',
  'dotComma',
  'spaceComma',
  'apostropheDot',
  'indian',
  'plainDot',
  'plainComma',
] as const

/** Patterns of Unicode CLDR. */
export const DATE_FORMATS = [
  'locale',
  'yyyy-MM-dd',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'dd-MM-yyyy',
  'MM/dd/yyyy',
  'yyyy/MM/dd',
] as const

export interface Preferences {
  weekStart: (typeof WEEK_DAYS)[number]
  /** Day of the month. */
  periodStartDay: number
  numberFormat: (typeof NUMBER_FORMATS)[number]
  dateFormat: (typeof DATE_FORMATS)[number]
  defaultAccountId: string | null
  hideAmounts: boolean
}

/** The preferences of a request; null restores a default. */
export type SentPreferences = { [Key in keyof Preferences]?: Preferences[Key] | null | undefined }

const DEFAULTS: Preferences = {
  weekStart: 'monday',
  periodStartDay: 1,
  numberFormat: 'locale',
  dateFormat: 'locale',
  defaultAccountId: null,
  hideAmounts: false,
}

const KEYS = Object.keys(DEFAULTS) as (keyof Preferences)[]

/** @param chosen JSON of what differs from the defaults */
export const preferencesFrom = (chosen: string | null): Preferences => ({
  ...DEFAULTS,
  ...(JSON.parse(chosen ?? '{}') as Partial<Preferences>),
})

/** The JSON merge patch (RFC 7396) for what is stored: what is as by default is taken out of it. */
export function patchOf(sent: SentPreferences): Record<string, unknown> {
  const patched = KEYS.filter((key) => sent[key] !== undefined)
  return Object.fromEntries(
    patched.map((key) => [key, sent[key] === DEFAULTS[key] ? null : sent[key]]),
  )
}

/** Returns the sent preferences, with the defaults in place of null. */
export const chosenIn = (sent: SentPreferences): Partial<Preferences> =>
  Object.fromEntries(
    KEYS.filter((key) => sent[key] !== undefined).map((key) => [key, sent[key] ?? DEFAULTS[key]]),
  )
