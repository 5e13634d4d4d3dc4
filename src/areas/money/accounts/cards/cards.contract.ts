import { z } from '@hono/zod-openapi'
import { type CardStatement, STATEMENT_STATES } from '../../../../domain/cards.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  dateInput,
  id,
  integerField,
  money,
  nextCursor,
  nullableText,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { accountId } from '../accounts.contract.ts'
import type {
  CardNow,
  CardStatementPage,
  CardWithStatement,
  StatementWithRows,
} from './cards.usecases.ts'

export const CardStatementsQuery = z.strictObject(pageQuery())

export const cardStatementPath = z.object({
  ...accountId.shape,
  date: dateInput('Day on which the statement closed.'),
})

const CardCycle = z
  .object({
    from: date('First day of the cycle.'),
    to: date('Last day, on which the next statement closes.'),
    daysLeft: integerField('Days from today to the end of the cycle.', 12),
    charges: money('What went out in the cycle, as a positive amount.'),
    refunds: money('What came in otherwise than by payments.'),
    payments: money('What came in by transfers, and by incomes without an expense category.'),
    balance: money('Balance of the card today; money that is owed is negative.'),
  })
  .openapi('CardCycle')

const statementFields = {
  statementDate: date('Day on which the statement closed.'),
  from: date('First day of its cycle.'),
  dueDate: nullableText('Day by which it has to be paid; null if none is set.', '2026-04-10'),
  statementBalance: money(
    'What was owed at the end of that day, without what is pending now; never negative.',
  ),
  paid: money('What came in since by transfers, and by incomes without an expense category.'),
  refunds: money('What else came in since.'),
  charges: money('What went out since, as a positive amount.'),
  amountDue: money('What is left to pay; never more than is owed today.'),
  minimum: nullableText('What has to be paid at least; null if no minimum is set.', '25.00'),
  minimumDue: nullableText('What is left to pay of the minimum; null if none is set.', '25.00'),
  state: z.enum(STATEMENT_STATES).openapi({
    description:
      'State today: nothing is due (`paid`), the due date has not passed (`open`), it has and the minimum is paid (`carried`), or not even that (`overdue`).',
    example: 'open',
  }),
}

const StatementOfCard = z.object(statementFields).openapi('CardStatement')

const cardFields = {
  accountId: id('acc', 'Id of the account.'),
  currency: currency('Currency of all amounts.'),
  creditLimit: nullableText('Credit limit of the card.', '3000.00'),
  available: nullableText(
    'Credit limit less what is owed today, with what is pending; null without a credit limit.',
    '2610.00',
  ),
}

export const CardCycleResponse = z
  .object({
    ...cardFields,
    cycle: CardCycle,
    statement: StatementOfCard.nullable().openapi({
      description: 'The newest statement; null before the first one.',
    }),
  })
  .openapi('CardCycleResponse')

export const CardStatementListResponse = z
  .object({
    ...cardFields,
    current: CardCycle,
    statements: z.array(StatementOfCard).openapi({ description: 'Statements, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('CardStatementListResponse')

export const CardStatementResponse = z
  .object({
    ...cardFields,
    ...statementFields,
    transactions: z
      .array(TransactionResponse)
      .openapi({ description: 'One page of the transactions of its cycle, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('CardStatementResponse')

export const presentCycle = (card: CardWithStatement): z.infer<typeof CardCycleResponse> => ({
  ...presentCard(card),
  cycle: presentOpenCycle(card),
  statement: card.statement ? presentStatement(card, card.statement) : null,
})

export const presentStatements = (
  card: CardStatementPage & { nextCursor: string | null },
): z.infer<typeof CardStatementListResponse> => ({
  ...presentCard(card),
  current: presentOpenCycle(card),
  statements: card.rows.map((statement) => presentStatement(card, statement)),
  count: card.count,
  nextCursor: card.nextCursor,
})

export const presentSingleStatement = (
  card: StatementWithRows & { nextCursor: string | null },
  ctx: SignedIn,
): z.infer<typeof CardStatementResponse> => ({
  ...presentCard(card),
  ...presentStatement(card, card.statement),
  transactions: card.rows.map((row) => presentTransaction(row, ctx)),
  count: card.count,
  nextCursor: card.nextCursor,
})

const presentCard = ({ account: { id, currency, creditLimitMinor }, available }: CardNow) => ({
  accountId: id,
  currency,
  creditLimit: creditLimitMinor === null ? null : formatMoney(creditLimitMinor, currency),
  available: available === undefined ? null : formatMoney(available, currency),
})

function presentOpenCycle({ account: { currency }, cycle }: CardNow): z.infer<typeof CardCycle> {
  const { from, to, daysLeft, ...sums } = cycle
  const money = (minor: bigint) => formatMoney(minor, currency)
  return {
    ...{ from, to, daysLeft },
    charges: money(sums.charges),
    refunds: money(sums.refunds),
    payments: money(sums.payments),
    balance: money(sums.balance),
  }
}

function presentStatement(
  { account: { currency } }: CardNow,
  statement: CardStatement,
): z.infer<typeof StatementOfCard> {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const moneyOrNull = (minor: bigint | undefined) => (minor === undefined ? null : money(minor))
  return {
    statementDate: statement.statementDate,
    from: statement.from,
    dueDate: statement.dueDate ?? null,
    statementBalance: money(statement.statementBalance),
    paid: money(statement.paid),
    refunds: money(statement.refunds),
    charges: money(statement.charges),
    amountDue: money(statement.amountDue),
    minimum: moneyOrNull(statement.minimum),
    minimumDue: moneyOrNull(statement.minimumDue),
    state: statement.state,
  }
}
