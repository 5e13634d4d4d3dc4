import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { rightOfRank } from '../../../domain/sharing.ts'
import {
  color,
  colorInput,
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  idInput,
  nullableText,
  money,
  moneyInput,
  nameInput,
  textField,
  pathId,
  presentStamps,
  stamps,
  text,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { forceField } from '../transaction-views/transaction-views.public.ts'
import { type AccountView, isOwn } from './accounts.queries.ts'
import { ACCOUNT_TYPES, classOf, isIban, isOnBudgetByDefault } from './accounts.rules.ts'

export const accountId = pathId('acc', 'account')

const typeField = z
  .enum(ACCOUNT_TYPES)
  .openapi({ description: 'What kind of account it is; decides its class.', example: 'checking' })

const dayOfMonth = (description: string) =>
  z.number().int().min(1).max(31).nullable().optional().openapi({ description, example: 25 })

const optionalText = (most: number, description: string, example: string) =>
  text(1, most, description, example).nullable().optional()

/** What may be set and changed alike; null clears. */
const details = {
  includeInNetWorth: booleanField('Whether its balance counts in the net worth.', true).optional(),
  institution: optionalText(100, 'The bank.', 'First National'),
  iban: z
    .string()
    .max(42)
    .transform((iban) => iban.replaceAll(' ', '').toUpperCase())
    .refine(isIban, must('must be an IBAN with the right check digits'))
    .nullable()
    .optional()
    .openapi({
      type: 'string',
      description: 'International account number.',
      example: 'DE89370400440532013000',
    }),
  number: optionalText(
    34,
    'Account or card number; only its last four characters are kept.',
    '4111111111111111',
  ),
  creditLimit: moneyInput('How far it may be overdrawn.').nullable().optional(),
  statementDay: dayOfMonth('Day of the month on which the statement closes.'),
  dueDay: dayOfMonth('Day of the month on which payment is due.'),
  interestRate: z
    .string()
    .regex(
      /^(0|[1-9]\d{0,3})(\.\d{1,6})?$/,
      'must be a percentage per year as text with at most 6 decimals, such as "3.75"',
    )
    .nullable()
    .optional()
    .openapi({ description: 'Percent a year.', example: '4.25' }),
  accountGroupId: idInput('agr', 'The folder that it is in.').nullable().optional(),
  color: colorInput().nullable().optional(),
  icon: optionalText(64, 'Name of an icon, for display.', 'bank'),
  order: integerField('Place in lists; equal ones go by name.', 0)
    .min(-1_000_000)
    .max(1_000_000)
    .optional(),
  note: optionalText(2000, 'Free text.', 'Joint account'),
}

const name = nameInput(100, 'Unique among the own accounts, whatever its case.', 'Everyday')

const opening = {
  openingBalance: moneyInput(
    'What was there before the first transaction; negative is owed.',
  ).optional(),
  openingDate: dateInput(
    'Date of the opening balance; today in the own time zone by default.',
  ).optional(),
}

const onBudget = booleanField(
  'Whether its money is budgeted; by default for cash, checking, savings, creditCard and lineOfCredit.',
  true,
).optional()

export const CreateAccountDTO = z
  .strictObject({
    name,
    type: typeField,
    currency: currencyInput('Its one currency.'),
    onBudget,
    ...opening,
    ...details,
  })
  .openapi('CreateAccountDTO')

export const UpdateAccountDTO = z
  .strictObject({
    name: name.optional(),
    type: typeField.optional(),
    currency: currencyInput('Fixed once there are transactions.').optional(),
    onBudget,
    ...opening,
    ...details,
    force: forceField,
  })
  .openapi('UpdateAccountDTO')

export const convertedField = z
  .object({
    amount: money('The balance in the requested currency.'),
    currency: currency(),
    rate: textField('The rate, rounded to 12 places; the amount is not rounded by it.', '1.0842'),
    rateDate: nullableText(
      'Day of the oldest rate used; null where no rate was needed.',
      '2026-11-20',
    ),
  })
  .nullable()
  .openapi({ description: 'Null without a requested currency, or without a rate to it.' })

/** An account that a sum in one currency leaves out. */
export const unconvertedAccount = z.object({
  accountId: id('acc', 'The account.'),
  currency: currency(),
  balance: money('Its balance.'),
})

const maybeDay = (description: string) =>
  z.number().int().nullable().openapi({ description, example: 25 })

const classField = z
  .enum(['asset', 'liability'])
  .openapi({ description: 'Side of the balance sheet.', example: 'asset' })

export const accountFields = {
  id: id('acc', 'Id of the account.'),
  name: textField('Its name.', 'Everyday'),
  type: typeField,
  class: classField,
  currency: currency('Its one currency.'),
  onBudget: booleanField('Whether its money is budgeted.', true),
  includeInNetWorth: booleanField('Whether its balance counts in the net worth.', true),
  balance: money('All that is booked; negative is owed.'),
  clearedBalance: money('What the bank has confirmed.'),
  reconciledBalance: money('What was reconciled with a statement.'),
  openingBalance: money('What was there before the first transaction.'),
  openingDate: date('Date of the opening balance.'),
  status: z
    .enum(['open', 'closed'])
    .openapi({ description: 'Closed ones are kept, but not booked on.', example: 'open' }),
  institution: nullableText('The bank.'),
  iban: nullableText('International account number.'),
  number: nullableText('Masked but for the last four characters.', '•••• 1111'),
  creditLimit: nullableText('How far it may be overdrawn.'),
  statementDay: maybeDay('Day of the month on which the statement closes.'),
  dueDay: maybeDay('Day of the month on which payment is due.'),
  interestRate: nullableText('Percent a year.'),
  accountGroupId: nullableText('The folder that it is in.'),
  color: color(),
  icon: nullableText('For display.'),
  order: integerField('Place in lists.', 0),
  note: nullableText('Free text.'),
  ownerId: id('usr', 'Whose account it is.'),
  groupId: nullableText('The group that it is shared with, for its members.'),
  permission: z
    .enum(['owner', 'manage', 'write', 'annotate', 'view'])
    .openapi({ description: 'What the caller may do with it.', example: 'owner' }),
  transactionCount: integerField('How many transactions it has, the opening included.', 1),
  lastTransactionDate: nullableText('Date of its newest transaction.', '2026-11-20'),
  ...stamps,
}

export const AccountResponseDTO = z.object(accountFields).openapi('AccountResponseDTO')

const AccountTypeResponse = z
  .object({
    type: typeField,
    class: classField,
    onBudget: booleanField(
      'Whether an account of this type is on the budget unless told otherwise.',
      true,
    ),
  })
  .openapi('AccountTypeResponse')

export const AccountTypesResponse = z
  .object({
    types: z.array(AccountTypeResponse).openapi({ description: 'Every type there is.' }),
    count,
  })
  .openapi('AccountTypesResponse')

export const AccountListResponse = z
  .object({
    accounts: z.array(AccountResponseDTO).openapi({ description: 'Own and shared accounts.' }),
    count,
  })
  .openapi('AccountListResponse')

export function presentAccount({
  account,
  balances,
  seen,
}: AccountView): z.infer<typeof AccountResponseDTO> {
  const money = (minor: number) => formatMoney(minor, account.currency)
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    class: classOf(account.type),
    currency: account.currency,
    onBudget: account.onBudget,
    includeInNetWorth: account.includeInNetWorth,
    balance: money(balances.balanceMinor),
    clearedBalance: money(balances.clearedMinor),
    reconciledBalance: money(balances.reconciledMinor),
    openingBalance: money(balances.openingMinor),
    openingDate: account.openingDate,
    status: account.status,
    institution: account.institution,
    iban: account.iban,
    number: presentNumber(account.numberLastFour),
    creditLimit: account.creditLimitMinor === null ? null : money(account.creditLimitMinor),
    statementDay: account.statementDay,
    dueDay: account.dueDay,
    interestRate: account.interestRate,
    // Folders are the owner's.
    accountGroupId: isOwn(seen) ? account.accountGroupId : null,
    color: account.color,
    icon: account.icon,
    order: account.order,
    note: account.note,
    ownerId: account.ownerId,
    groupId: seen.groupId,
    permission: rightOfRank(seen.rank),
    transactionCount: balances.transactionCount,
    lastTransactionDate: balances.lastDate,
    ...presentStamps(account),
  }
}

/** Of the number of an account its end is stored. */
export const presentNumber = (lastFour: string | null): string | null =>
  lastFour === null ? null : `•••• ${lastFour}`

export const presentAccounts = (accounts: AccountView[]): z.infer<typeof AccountListResponse> => ({
  accounts: accounts.map(presentAccount),
  count: accounts.length,
})

/** The types are code, so there is nothing to fetch. */
export const presentTypes = (): z.infer<typeof AccountTypesResponse> => ({
  types: ACCOUNT_TYPES.map((type) => ({
    type,
    class: classOf(type),
    onBudget: isOnBudgetByDefault(type),
  })),
  count: ACCOUNT_TYPES.length,
})
