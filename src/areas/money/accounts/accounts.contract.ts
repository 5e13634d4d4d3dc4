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
  instant,
  toInstantOrNull,
  forceField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { staleField } from '../exchange-rates/exchange-rates.public.ts'
import { type AccountView, isOwn } from './accounts.queries.ts'
import type { AccountWithChecks } from './accounts.usecases.ts'
import { ACCOUNT_TYPES, classOf, isIban, isOnBudgetByDefault } from './accounts.rules.ts'
import { cardTermFields, cardTermInputs, presentCardTerms } from './cards/terms.contract.ts'

export const accountId = pathId('acc', 'account')

const typeField = z
  .enum(ACCOUNT_TYPES)
  .openapi({ description: 'Type of account, which determines its class.', example: 'checking' })

const optionalText = (most: number, description: string, example: string) =>
  text(1, most, description, example).nullable().optional()

/** The fields that are common to new accounts and changes; null clears. */
const details = {
  includeInNetWorth: booleanField(
    'Whether the balance counts towards the net worth.',
    true,
  ).optional(),
  institution: optionalText(100, 'Name of the bank.', 'First National'),
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
  creditLimit: moneyInput('Credit limit, that is, how far the account may be overdrawn.')
    .nullable()
    .optional(),
  ...cardTermInputs,
  interestRate: z
    .string()
    .regex(
      /^(0|[1-9]\d{0,3})(\.\d{1,6})?$/,
      'must be a percentage per year as text with at most 6 decimals, such as "3.75"',
    )
    .nullable()
    .optional()
    .openapi({ description: 'Interest rate in percent per year.', example: '4.25' }),
  accountGroupId: idInput('agr', 'Folder of the account.').nullable().optional(),
  color: colorInput().nullable().optional(),
  icon: optionalText(64, 'Name of an icon, for display.', 'bank'),
  order: integerField('Position in lists; accounts with the same position are sorted by name.', 0)
    .min(-1_000_000)
    .max(1_000_000)
    .optional(),
  note: optionalText(2000, 'Free text.', 'Joint account'),
}

const name = nameInput(
  100,
  'Name of the account; unique among your own accounts, regardless of case.',
  'Everyday',
)

/** The fields that other areas need for accounts that they make. */
export const accountInputs = { name, type: typeField }

const opening = {
  openingBalance: moneyInput(
    'Balance before the first transaction. Money that is owed is negative: a credit card or a loan with 150.00 to pay opens at `-150.00`.',
  ).optional(),
  openingDate: dateInput(
    'Date of the opening balance; by default today in your time zone.',
  ).optional(),
}

const onBudget = booleanField(
  'Whether the account is on the budget; by default true for cash, checking, savings, creditCard and lineOfCredit.',
  true,
).optional()

export const CreateAccountDTO = z
  .strictObject({
    name,
    type: typeField,
    currency: currencyInput('Currency of the account.'),
    onBudget,
    ...opening,
    ...details,
    force: forceField,
  })
  .openapi('CreateAccountDTO')

export const UpdateAccountDTO = z
  .strictObject({
    name: name.optional(),
    type: typeField.optional(),
    currency: currencyInput(
      'Currency of the account; cannot change once it has transactions.',
    ).optional(),
    onBudget,
    ...opening,
    ...details,
    force: forceField,
  })
  .openapi('UpdateAccountDTO')

export const convertedField = z
  .object({
    amount: money('Balance in the requested currency.'),
    currency: currency(),
    rate: textField(
      'Rate, rounded to 12 decimals; the amount was computed with the unrounded rate.',
      '1.0842',
    ),
    rateDate: nullableText(
      'Date of the oldest rate used; null if no rate was needed.',
      '2026-11-20',
    ),
    stale: staleField,
  })
  .nullable()
  .openapi({
    description: 'Converted balance; null if no currency was requested or no rate exists.',
  })

/** An account that a sum in one currency leaves out. */
export const unconvertedAccount = z.object({
  accountId: id('acc', 'Id of the account.'),
  currency: currency(),
  balance: money('Balance of the account.'),
})

const classField = z
  .enum(['asset', 'liability'])
  .openapi({ description: 'Side of the balance sheet.', example: 'asset' })

export const accountFields = {
  id: id('acc', 'Id of the account.'),
  name: textField('Name of the account.', 'Everyday'),
  type: typeField,
  class: classField,
  currency: currency('Currency of the account.'),
  onBudget: booleanField('Whether the account is on the budget.', true),
  includeInNetWorth: booleanField('Whether the balance counts towards the net worth.', true),
  balance: money('Balance of all transactions; money that is owed is negative.'),
  clearedBalance: money('Balance of the transactions that the bank has confirmed.'),
  reconciledBalance: money('Balance of the transactions that are reconciled with a statement.'),
  openingBalance: money('Balance before the first transaction.'),
  openingDate: date('Date of the opening balance.'),
  status: z.enum(['open', 'closed']).openapi({
    description: 'Status of the account. A closed account is kept, but takes no more transactions.',
    example: 'open',
  }),
  institution: nullableText('Name of the bank.'),
  iban: nullableText('International account number.'),
  number: nullableText(
    'Account or card number; only the last four characters are shown.',
    '•••• 1111',
  ),
  creditLimit: nullableText('Credit limit, that is, how far the account may be overdrawn.'),
  ...cardTermFields,
  interestRate: nullableText('Interest rate in percent per year.'),
  accountGroupId: nullableText('Folder of the account.'),
  color: color(),
  icon: nullableText('Name of an icon, for display.'),
  order: integerField('Position in lists.', 0),
  note: nullableText('Free text.'),
  ownerId: id('usr', 'Owner of the account.'),
  groupId: nullableText('Group that the account is shared with; shown to its members.'),
  permission: z
    .enum(['owner', 'manage', 'write', 'annotate', 'view'])
    .openapi({ description: 'What the caller may do with the account.', example: 'owner' }),
  lockedThrough: nullableText('Last day that a period lock covers.', '2025-12-31'),
  hardLockedThrough: nullableText('Last day that a hard period lock covers.', '2024-12-31'),
  transactionCount: integerField('Number of transactions, including the opening balance.', 1),
  lastTransactionDate: nullableText('Date of the newest transaction.', '2026-11-20'),
  lastReconciledAt: instant('When a reconciliation of the account was last finished.').nullable(),
  ...stamps,
}

const OPENS_IN_CREDIT =
  'The opening balance is positive: the bank owes you this money. If you owe it, send it with a minus.'

const accountWarning = z
  .object({
    code: z.enum(['accounts.opensInCredit']).openapi({
      description: 'Stable code of the warning.',
      example: 'accounts.opensInCredit',
    }),
    message: textField('The warning, for people.', OPENS_IN_CREDIT),
  })
  .openapi('AccountWarning')

export const AccountResponseDTO = z
  .object({
    ...accountFields,
    failingAssertions: integerField(
      'Number of balance assertions that do not hold; only where an account is read alone.',
      0,
    ).optional(),
    warnings: z.array(accountWarning).optional().openapi({
      description: 'What may be meant otherwise; only where an account is opened or changed.',
    }),
  })
  .openapi('AccountResponseDTO')

const AccountTypeResponse = z
  .object({
    type: typeField,
    class: classField,
    onBudget: booleanField('Whether an account of this type is on the budget by default.', true),
  })
  .openapi('AccountTypeResponse')

export const AccountTypesResponse = z
  .object({
    types: z.array(AccountTypeResponse).openapi({ description: 'All account types.' }),
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
  checks,
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
    ...presentCardTerms(account),
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
    lockedThrough: account.lockedThrough,
    hardLockedThrough: account.hardLockedThrough,
    transactionCount: balances.transactionCount,
    lastTransactionDate: balances.lastDate,
    lastReconciledAt: toInstantOrNull(checks.lastReconciledAt),
    ...presentStamps(account),
  }
}

export const presentSingleAccount = ({
  failingAssertions,
  ...view
}: AccountWithChecks): z.infer<typeof AccountResponseDTO> => ({
  ...presentAccount(view),
  failingAssertions,
})

/** With a warning where the sign of the opening balance may be meant otherwise. */
export const presentStoredAccount = (view: AccountView): z.infer<typeof AccountResponseDTO> => ({
  ...presentAccount(view),
  ...(classOf(view.account.type) === 'liability' && view.balances.openingMinor > 0
    ? { warnings: [{ code: 'accounts.opensInCredit' as const, message: OPENS_IN_CREDIT }] }
    : {}),
})

/** Only the end of an account number is stored. */
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
