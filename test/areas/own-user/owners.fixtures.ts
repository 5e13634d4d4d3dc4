import {
  startReconciliation,
  updateReconciliation,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import { createBalanceAssertion } from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import {
  getAccountHistory,
  updateAccountHistoryComment,
} from '../../../src/areas/money/accounts/history/history.routes.ts'
import { setAccountAlert } from '../../../src/areas/money/accounts/alerts/alerts.routes.ts'
import { createAccountGroup } from '../../../src/areas/money/accounts/folders/folders.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { setOwnCurrencies } from '../../../src/areas/money/currencies/currencies.routes.ts'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  acceptGroupInvite,
  createGroupInvite,
} from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createShare, acceptShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import {
  createRecurring,
  deleteRecurring,
  dismissRecurring,
  postOccurrences,
  updateOccurrence,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { contextWith } from '../../support/service.ts'
import { settleJob } from '../../../src/areas/planning/recurring/recurring.jobs.ts'
import { createRule, deleteRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { dismissDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  convertToTransfer,
  createTransfer,
  matchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createWebhook, updateWebhook } from '../../../src/areas/events/webhooks/webhooks.routes.ts'
import { createSavedView } from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { createValuation } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { updatePreferences } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { keepImports } from './imports.fixtures.ts'
import { plan } from './plans.fixtures.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, registeredUser, type TestUser } from '../../support/world.ts'

/** Money of an owner, of every kind there is. */
export interface Holdings {
  one: string
  two: string
  /** In the trash, with what was booked on it. */
  trashed: string
  category: string
  child: string
}

/** A user whose every text says the same word, which nobody else says. */
export interface Owner extends TestUser, Holdings {
  word: string
}

export async function newOwner(): Promise<Owner> {
  const word = `canary${crypto.randomUUID().replaceAll('-', '')}`
  const user = await registeredUser({ name: word })
  return { ...user, ...(await hold(user, word)), word }
}

/** Keeps recurring items, with an occurrence that was changed, one that is left out, and one in the trash. */
async function repeat(as: TestUser, accountId: string, word: string): Promise<void> {
  const schedule = { unit: 'month', anchor: '2026-01-15' } as const
  const transaction = { kind: 'expense', accountId, amount: '5', note: word } as const
  const json = { name: `Rent ${word}`, mode: 'ask', schedule, transaction, note: word } as const
  const item = await ok(createRecurring, { as, json })
  const change = (date: string, sent: object) =>
    ok(updateOccurrence, { as, path: { id: item.id, date }, json: sent })
  await change('2027-01-15', { changes: { amount: '6', note: word }, date: '2027-01-16' })
  await change('2027-02-15', { skipped: true })
  const booked = { recurringId: item.id, nominalDate: '2027-03-15' }
  await ok(postOccurrences, { as, json: { items: [booked] } })
  const ended = await ok(createRecurring, { as, json: { ...json, name: `Ended ${word}` } })
  await ok(deleteRecurring, { as, id: ended.id })
  await ok(dismissRecurring, { as, json: { key: word } })
  // Until something is due, no scheduled run changes them any more.
  await settleJob.run(contextWith(), { ownerId: as.id }, [])
}

async function hold(as: TestUser, word: string): Promise<Holdings> {
  const opening = { openingBalance: '100', openingDate: '2026-01-02' }
  const one = await newAccount(as, { name: `One ${word}`, note: word, ...opening })
  const two = await newAccount(as, { name: `Two ${word}`, institution: word })
  const trashed = await newAccount(as, { name: `Three ${word}`, ...opening })
  await keepImports(as, two.id, word)
  const food = { name: `Food ${word}`, kind: 'expense', note: word } as const
  const category = await ok(createCategory, { as, json: food })
  const fruit = { ...food, name: `Fruit ${word}`, parentId: category.id }
  const child = await ok(createCategory, { as, json: fruit })
  const payee = { name: `Baker ${word}`, note: word, aliases: [`BKR ${word}`] }
  const { id: payeeId } = await ok(createPayee, { as, json: payee })
  const { id: tagId } = await ok(createTag, { as, json: { name: `Trip ${word}` } })
  const expense = {
    kind: 'expense',
    accountId: one.id,
    date: '2026-02-01',
    amount: '10',
    description: word,
    note: word,
    payeeId,
    tagIds: [tagId] as string[],
  } as const
  const splits = [
    { amount: '4', categoryId: category.id, note: word },
    { amount: '6', categoryId: child.id },
  ]
  const whole = await ok(createTransaction, { as, json: { ...expense, categoryId: child.id } })
  const parted = await ok(createTransaction, {
    as,
    json: { ...expense, splits, externalId: word },
  })
  await ok(dismissDuplicate, { as, json: { transactionIds: [whole.id, parted.id] } })
  const left = await ok(createTransaction, { as, json: { ...expense, amount: '7' } })
  const arrived = await ok(createTransaction, {
    as,
    json: { ...expense, kind: 'income', accountId: two.id, amount: '7' },
  })
  const halves = { fromTransactionId: left.id, toTransactionId: arrived.id }
  await ok(matchTransfer, { as, json: halves })
  const moved = await ok(createTransaction, { as, json: expense })
  await ok(convertToTransfer, { as, id: moved.id, json: { accountId: two.id } })
  const link = { kind: 'partOf', transactionId: parted.id, note: word } as const
  await ok(createTransactionLink, { as, id: whole.id, json: link })
  await ok(createTransaction, { as, json: { ...expense, accountId: trashed.id } })
  const gone = await ok(createTransaction, { as, json: expense })
  await ok(deleteTransaction, { as, id: gone.id })
  const move = { fromAccountId: one.id, toAccountId: two.id, date: '2026-03-01', amount: '5' }
  await ok(createTransfer, { as, json: { ...move, note: word } })
  const rate = { from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' }
  await ok(createExchangeRate, { as, json: rate })
  await ok(setOwnCurrencies, { as, json: { currencies: ['USD'] } })
  const [record] = await ok(getAccountHistory, { as, query: { accountId: one.id } })
  await ok(updateAccountHistoryComment, { as, id: record?.id ?? '', json: { comment: word } })
  const flat = await newAccount(as, { name: `Flat ${word}`, type: 'property' })
  const worth = { accountId: flat.id, date: '2026-02-01', value: '9', note: word }
  await ok(createValuation, { as, json: worth })
  const folder = { name: `Folder ${word}`, accountIds: [one.id, trashed.id] }
  await ok(createAccountGroup, { as, json: folder })
  await ok(setAccountAlert, { as, id: one.id, json: { below: '1', above: '1000' } })
  const held = { accountId: one.id, date: '2026-02-01', amount: '9', note: word }
  await ok(createBalanceAssertion, { as, json: held })
  const compared = {
    ...{ accountId: two.id, statementDate: '2026-03-31', closingBalance: '9', note: word },
  }
  const session = await ok(startReconciliation, { as, json: compared })
  const all = { tickWhere: { from: '2000-01-01' } }
  const { rows: ticks } = await ok(updateReconciliation, { as, id: session.id, json: all })
  if (ticks.ticked === 0) {
    throw new Error('keepEverything: nothing is ticked')
  }
  await plan(as, word, child.id)
  await share(as, one)
  await gather(as, word)
  await ok(deleteAccount, { as, id: trashed.id })
  const view = { name: word, of: 'transactions', parameters: { accountId: one.id } } as const
  await ok(createSavedView, { as, json: view })
  const dropped = await ok(createTag, { as, json: { name: `Dropped ${word}` } })
  await ok(deleteTag, { as, id: dropped.id })
  const condition = { field: 'text', op: 'word', value: word }
  const rule = { name: `Rule ${word}`, condition, changes: { note: word } } as const
  await ok(createRule, { as, json: rule })
  const ended = await ok(createRule, { as, json: { ...rule, name: `Ended ${word}` } })
  await ok(deleteRule, { as, id: ended.id })
  await repeat(as, one.id, word)
  await tellOf(as, one.id, word)
  const json = { weekStart: 'sunday', defaultAccountId: one.id } as const
  await ok(updatePreferences, { as, json })
  return { one: one.id, two: two.id, trashed: trashed.id, category: category.id, child: child.id }
}

/** Has a webhook told of an account, with a delivery that is not sent any more, and a new secret. */
async function tellOf(as: TestUser, accountId: string, word: string): Promise<void> {
  const url = `https://receiver.invalid/${word}`
  const json = { url, types: ['tag.*'], accountIds: [accountId], description: word }
  const { id } = await ok(createWebhook, { as, json })
  await ok(updateWebhook, { as, id, json: { newSecret: true } })
  await rows(
    `INSERT INTO webhook_deliveries (id, webhook_id, owner_id, sequence, event_id, type, body, state, attempts, created_at)
      VALUES ('evt_' || ?1, ?2, ?3, 1, 'evt_' || ?1, 'tag.created', ?1, 'dead', 10, ?4)`,
    word,
    id,
    as.id,
    Date.now(),
  )
}

/** Shares an account with a user, and has it accept one of that user's; one waits for the address. */
async function share(as: TestUser, { id: resourceId }: { id: string }): Promise<void> {
  const friend = await newUser()
  const theirs = await newAccount(friend)
  const offer = (json: { userId: string } | { email: string }) =>
    ok(createShare, { as: friend, json: { resourceId: theirs.id, ...json } })
  await ok(createShare, { as, json: { resourceId, userId: friend.id } })
  await offer({ email: as.email })
  const { id } = await offer({ userId: as.id })
  await ok(acceptShare, { as, id, json: { includeInTotals: true } })
}

/** A group of its own and one of a friend's, with invitations that it sent, got and accepted. */
async function gather(as: TestUser, word: string): Promise<void> {
  const friend = await newUser()
  const { id: own } = await ok(createGroup, { as, json: { name: word } })
  const { id } = await ok(createGroup, { as: friend, json: { name: 'Of a friend' } })
  await ok(createGroupInvite, { as, id: own, json: {} })
  await ok(createGroupInvite, { as: friend, id, json: { email: as.email } })
  const { code } = await ok(createGroupInvite, { as: friend, id, json: { role: 'admin' } })
  await ok(acceptGroupInvite, { as, json: { code: code ?? '' } })
  await ok(createGroupInvite, { as, id, json: {} })
}

export type Dump = Record<string, string[]>

/** All rows of all tables, as JSON, without the log; as texts, since no JavaScript number holds every sum. */
export async function dump(): Promise<Dump> {
  const tables = await rows<{ name: string; columns: string }>(
    `SELECT t.name, group_concat(format('CAST("%w" AS TEXT) AS "%w"', c.name, c.name)) AS columns
      FROM sqlite_master t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND t.name NOT IN ('log_commits', 'log_events')
      GROUP BY t.name`,
  )
  const entries = await Promise.all(
    tables.map(async ({ name, columns }) => {
      const found = await rows<object>(`SELECT ${columns} FROM "${name}"`)
      return [name, found.map((row) => JSON.stringify(row))] as const
    }),
  )
  return Object.fromEntries(entries)
}

/** The rows that mention one of the words, by table. */
export const mentioning = (all: Dump, words: string[]): Dump =>
  Object.fromEntries(
    Object.entries(all)
      .map(([name, lines]) => [
        name,
        lines.filter((line) => words.some((word) => line.includes(word))),
      ])
      .filter(([, lines]) => (lines?.length ?? 0) > 0),
  )
