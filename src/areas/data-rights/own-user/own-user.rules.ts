import { foldKey } from '../../../domain/text.ts'
import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from '../../identity/notifications/notifications.public.ts'

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
  /** How the user wants to be told of what. */
  notifications: Record<NotificationKind, NotificationChannel>
}

/** A request to change some fields; null restores a default. */
type Sent<Fields> = { [Key in keyof Fields]?: Fields[Key] | null | undefined }

export type SentPreferences = Sent<Omit<Preferences, 'notifications'>> & {
  notifications?: Sent<Preferences['notifications']> | null | undefined
}

const DEFAULT_CHANNELS = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [kind, 'app']),
) as Preferences['notifications']

const DEFAULTS: Preferences = {
  weekStart: 'monday',
  periodStartDay: 1,
  numberFormat: 'locale',
  dateFormat: 'locale',
  defaultAccountId: null,
  hideAmounts: false,
  notifications: DEFAULT_CHANNELS,
}

/** @param chosen JSON of what differs from the defaults */
export function preferencesFrom(chosen: string | null): Preferences {
  const { notifications, ...plain } = JSON.parse(chosen ?? '{}') as Partial<Preferences>
  return { ...DEFAULTS, ...plain, notifications: { ...DEFAULT_CHANNELS, ...notifications } }
}

type Fields = Record<string, unknown>

const changed = (sent: Fields, valueOf: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, valueOf(value, name)]),
  )

const patchOfFields = (sent: Fields, defaults: Fields): Fields =>
  changed(sent, (value, name) => (value === defaults[name] ? null : value))

/** The JSON merge patch (RFC 7396) for what is stored: what is as by default is taken out of it. */
export const patchOf = ({ notifications, ...plain }: SentPreferences): Fields => ({
  ...patchOfFields(plain, { ...DEFAULTS }),
  ...(notifications === undefined
    ? {}
    : { notifications: notifications && patchOfFields(notifications, DEFAULT_CHANNELS) }),
})

const sentOver = (sent: Fields, defaults: Fields): Fields =>
  changed(sent, (value, name) => value ?? defaults[name])

/** The preferences after a request, with the defaults in place of null. */
export const preferencesAfter = (
  before: Preferences,
  { notifications, ...plain }: SentPreferences,
): Preferences => ({
  ...before,
  ...sentOver(plain, { ...DEFAULTS }),
  notifications:
    notifications === null
      ? DEFAULT_CHANNELS
      : { ...before.notifications, ...sentOver(notifications ?? {}, DEFAULT_CHANNELS) },
})
