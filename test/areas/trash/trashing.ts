import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { eraseTrashJob, purgeTrashJob } from '../../../src/areas/money/trash/trash.jobs.ts'
import {
  eraseFromTrash,
  listTrash,
  restoreFromTrash,
} from '../../../src/areas/money/trash/trash.routes.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'

export const DAY = 24 * 60 * 60 * 1000

export type Kind = 'account' | 'transaction' | 'transfer' | 'category' | 'tag' | 'payee' | 'budget'

export const bringBack = (as: Principal, kind: Kind, id: string) =>
  call(restoreFromTrash, { as, path: { kind, id } })

export const erase = (as: Principal, kind: Kind, id: string) =>
  call(eraseFromTrash, { as, path: { kind, id } })

export const trashOf = async (as: Principal, query: Record<string, string | number> = {}) =>
  ok(listTrash, { as, query })

export const idsIn = async (as: Principal) => (await trashOf(as)).items.map(({ id }) => id)

/** The nightly task: of everybody, so what it finds must be made old. */
export const purgeNow = () => purgeTrashJob.run(contextWith(), {}, [])

/** What a task does that an erasure left behind. */
export const work = (ownerId: string, before = 0) =>
  eraseTrashJob.run(contextWith(), { ownerId, before }, [])

/** A user with two accounts in euro and one in yen, with 100 euro in the first. */
export async function newBooks() {
  const me = await newUser()
  const one = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const [two, yen] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const move = (to: { id: string }, more: object = {}) =>
    ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: one.id,
        toAccountId: to.id,
        date: '2026-03-01',
        amount: '10',
        ...more,
      },
    })
  const spend = (more: object = {}) =>
    ok(createTransaction, {
      as: me,
      json: { kind: 'expense', accountId: one.id, date: '2026-03-02', amount: '5', ...more },
    })
  return { me, one, two, yen, move, spend }
}

/** The trash is sorted by the time of deletion: whatever is deleted has a millisecond of its own. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now;) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

export async function dropTransaction(as: Principal, { id }: { id: string }) {
  await nextMillisecond()
  return ok(deleteTransaction, { as, id, query: { force: 'true' } })
}

export async function dropTransfer(as: Principal, { id }: { id: string }) {
  await nextMillisecond()
  return ok(deleteTransfer, { as, id, query: { force: 'true' } })
}

export async function dropAccount(as: Principal, { id }: { id: string }) {
  await nextMillisecond()
  return ok(deleteAccount, { as, id })
}

/** An access token of the user, for these accounts alone. */
export async function tokenFor(as: Principal, accounts?: { id: string }[]): Promise<Principal> {
  const { token } = await ok(createAccessToken, {
    as,
    json: {
      name: 'x',
      scopes: ['trash.read', 'trash.write', 'accounts.read'],
      ...(accounts && { accountIds: accounts.map(({ id }) => id) }),
    },
  })
  return { accessToken: token }
}

const OF_ACCOUNTS = ['entries', 'account_balances', 'account_periods', 'flow_periods']

/** All that is stored of a user's money and what hangs on it, without versions, instants of changes and counts of rule sets. */
export async function stored({ id }: { id: string }) {
  const mine = '(SELECT id FROM accounts WHERE owner_id = ?1)'
  const theirs = '(SELECT id FROM transactions WHERE owner_id = ?1)'
  const queries = [
    'SELECT * FROM accounts WHERE owner_id = ?1',
    'SELECT * FROM transactions WHERE owner_id = ?1',
    ...OF_ACCOUNTS.map((table) => `SELECT * FROM ${table} WHERE account_id IN ${mine}`),
    ...['transaction_tags', 'transaction_payees'].map(
      (table) => `SELECT * FROM ${table} WHERE transaction_id IN ${theirs}`,
    ),
    `SELECT * FROM transaction_links WHERE source_id IN ${theirs}`,
  ]
  const found = await Promise.all(queries.map((query) => rows<Record<string, unknown>>(query, id)))
  return found.map((table) =>
    table
      .map(({ version: _version, updated_at: _updated, rule_set: _set, ...row }) =>
        JSON.stringify(row),
      )
      .toSorted(),
  )
}
