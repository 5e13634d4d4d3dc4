import { z } from '@hono/zod-openapi'
import {
  instant,
  toInstantOrNull,
  date,
  toInstant,
  integerField,
  textField,
  idInput,
  presentStamps,
  stamps,
  booleanField,
} from '../../../http/fields.ts'
import { presentUser, profileFields, UserResponse } from '../../identity/auth/auth.public.ts'
import {
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
} from '../../identity/notifications/notifications.public.ts'
import type { OwnProfile } from './own-user.usecases.ts'
import type { StatisticsRow, AvatarRow } from './own-user.queries.ts'
import { DATE_FORMATS, NUMBER_FORMATS, WEEK_DAYS } from './own-user.rules.ts'
import type { OwnPreferences } from './preferences.usecases.ts'

export const ProfileResponse = UserResponse.extend({
  deletionDueAt: instant(
    'Time at which the user and all their data are erased; null unless the deletion was requested.',
  )
    .nullable()
    .openapi({ example: null }),
}).openapi('ProfileResponse')

export const UpdateProfileRequest = z
  .strictObject({
    name: profileFields.name.optional(),
    locale: profileFields.locale.optional(),
    timeZone: profileFields.timeZone.optional(),
    baseCurrency: profileFields.baseCurrency
      .optional()
      .openapi({ description: 'Base currency of the user. Stored amounts are not converted.' }),
  })
  .openapi('UpdateProfileRequest')

/** Asked for again before something is erased. */
export const proof = {
  password: z.string().max(1024).optional().openapi({
    description:
      'The caller’s password. Users who sign in only with an identity provider leave it out.',
    example: 'long enough to be only mine',
  }),
}

export const presentProfile = ({
  user,
  deletionDueAt,
}: OwnProfile): z.infer<typeof ProfileResponse> => ({
  ...presentUser(user),
  deletionDueAt: toInstantOrNull(deletionDueAt),
})

export const DeleteOwnUserRequest = z.strictObject({ ...proof }).openapi('DeleteOwnUserRequest')

export const StatisticsResponse = z
  .object({
    memberSince: instant('Time of the registration.'),
    accounts: integerField('Number of accounts, including closed ones.', 4),
    transactions: integerField(
      'Number of transactions without transfers, including opening balances.',
      1280,
    ),
    transfers: integerField('Number of transfers. Both sides count as one.', 96),
    firstTransactionDate: date('Earliest booking date.').nullable(),
    lastTransactionDate: date('Latest booking date.').nullable(),
    categories: integerField('Number of categories, including archived ones.', 32),
    exchangeRates: integerField('Number of exchange rates.', 12),
    sessions: integerField('Number of sessions that have not ended.', 2),
    accessTokens: integerField('Number of personal access tokens.', 1),
    identities: integerField('Number of provider identities with which the user can sign in.', 0),
    inviteCodes: integerField('Number of invite codes that the user has issued.', 0),
  })
  .openapi('StatisticsResponse')

export const presentOwnStatistics = ({
  booked,
  memberSince,
  ...same
}: StatisticsRow): z.infer<typeof StatisticsResponse> => ({
  ...same,
  memberSince: toInstant(memberSince),
  transactions: booked - same.transfers,
})

export const AvatarResponse = z
  .object({
    contentType: textField('Media type, detected from the content.', 'image/png'),
    size: integerField('Size in bytes.', 48_213),
    sha256: textField('Hexadecimal SHA-256 of the content.', '9f86d081884c7d659a2feaa0c55ad015…'),
    version: integerField('Version number, raised by one with every picture. See If-Match.', 1),
    updatedAt: instant('Time of the upload.'),
  })
  .openapi('AvatarResponse')

export const presentAvatar = (row: AvatarRow): z.infer<typeof AvatarResponse> => ({
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  version: row.version,
  updatedAt: toInstant(row.updatedAt),
})

const weekStart = z
  .enum(WEEK_DAYS)
  .openapi({ description: 'First day of the week.', example: 'monday' })

const periodStartDay = integerField('Day of the month on which a period starts, from 1 to 28.', 25)
  .min(1)
  .max(28)

const numberFormat = z.enum(NUMBER_FORMATS).openapi({
  description:
    'Format of amounts: 1,234.56 is commaDot, 1.234,56 dotComma, 1 234,56 spaceComma, 1’234.56 apostropheDot, 12,34,567.89 indian, 1234.56 plainDot, 1234,56 plainComma.',
  example: 'dotComma',
})

const dateFormat = z
  .enum(DATE_FORMATS)
  .openapi({ description: 'Format of dates.', example: 'dd.MM.yyyy' })

const hideAmounts = booleanField('Whether amounts are hidden until the user reveals them.', false)

const channel = z.enum(NOTIFICATION_CHANNELS).openapi({
  description: 'Not at all, in the application, or there and by mail.',
  example: 'app',
})

/** An object with a field for each kind of notifications. */
const byKind = <Value extends z.ZodType>(value: Value) =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, value])) as Record<
    (typeof NOTIFICATION_KINDS)[number],
    Value
  >

export const PreferencesResponse = z
  .object({
    weekStart,
    periodStartDay,
    numberFormat,
    dateFormat,
    defaultAccountId: z.string().nullable().openapi({
      description: 'Account that is suggested first; null if none is set or the account is gone.',
      example: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    }),
    hideAmounts,
    notifications: z
      .object(byKind(channel))
      .openapi({ description: 'How the user is told of what, by the kind of notification.' }),
    ...stamps,
  })
  .openapi('PreferencesResponse')

export const UpdatePreferencesRequest = z
  .strictObject({
    weekStart: weekStart.nullish(),
    periodStartDay: periodStartDay.nullish(),
    numberFormat: numberFormat.nullish(),
    dateFormat: dateFormat.nullish(),
    defaultAccountId: idInput('acc', 'Id of an account that the caller sees.').nullish(),
    hideAmounts: hideAmounts.nullish(),
    notifications: z.strictObject(byKind(channel.nullish())).nullish().openapi({
      description: 'How the user is told of what; kinds that are left out stay as they are.',
    }),
  })
  .openapi('UpdatePreferencesRequest', {
    description: 'Preferences to change. Send null to restore a default.',
  })

export const presentPreferences = (own: OwnPreferences): z.infer<typeof PreferencesResponse> => ({
  weekStart: own.weekStart,
  periodStartDay: own.periodStartDay,
  numberFormat: own.numberFormat,
  dateFormat: own.dateFormat,
  defaultAccountId: own.defaultAccountId,
  hideAmounts: own.hideAmounts,
  notifications: own.notifications,
  ...presentStamps(own),
})
