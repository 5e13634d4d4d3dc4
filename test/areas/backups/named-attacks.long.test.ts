import { beforeAll, describe, expect, it } from 'vitest'
import { coreOf } from '../../../src/domain/ids.ts'
import { rows } from '../../support/api.ts'
import { type Forgery, rowsOf } from './forging.fixtures.ts'
import { type Attack, attack, newStage, type Stage } from './staging.fixtures.ts'
import type { WholeOwner } from './whole-owner.fixtures.ts'

// Ways in which an archive once reached the data of others, one by one; foreign-names.test.ts and foreign-names.long.test.ts look for further ones.

let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})

const first = async (sql: string, ...values: unknown[]): Promise<string> => {
  const [found] = await rows<{ id: string }>(sql, ...values)
  if (!found) {
    throw new Error(`nothing found by ${sql}`)
  }
  return found.id
}

/** Some expense of somebody that is booked on this account. */
const expenseOf = (owner: WholeOwner, at = 0) =>
  first(
    `SELECT t.id FROM transactions t JOIN entries e ON e.transaction_id = t.id AND e.line = 1
      WHERE t.owner_id = ? AND t.kind = 'expense' AND e.account_id = ? ORDER BY t.id LIMIT 1 OFFSET ?`,
    owner.id,
    owner.one,
    at,
  )

/** An account of the archive under another id. */
function asAccount(id: string): Forgery {
  const transactions = new Set(rowsOf(stage.files, 'transactions').map((row) => String(row['id'])))
  const account = rowsOf(stage.files, 'accounts').find(
    (row) => !transactions.has(`txn_${coreOf(String(row['id']))}`),
  )
  return { renamed: new Map([[String(account?.['id']), id]]) }
}

/** Other values for a column of all rows of a table. */
const withColumn = (table: string, column: string, change: (value: string) => string): Forgery => ({
  rows: {
    [table]: (some) =>
      some.map((row) =>
        row[column] === null ? row : { ...row, [column]: change(String(row[column])) },
      ),
  },
})

const TRASH = 'restores everything from the trash'

/** Labels in the trash that these lines of a transaction are said to have had. */
const hadBy = (id: string): Forgery =>
  withColumn('trashed_rows', 'image', (image) => {
    const was = JSON.parse(image) as { row: { id: string } }
    const line = { tag: 0, cat: 2, pay: 0 }[was.row.id.slice(0, 3)]
    return JSON.stringify({ ...was, into: null, lines: { [id]: [line] } })
  })

type Case = [attacked: string, how: () => Promise<Attack> | Attack, state?: 'done' | 'failed']

const ERASED: Case[] = (['stranger', 'sharer'] as const).flatMap((name, at): Case[] => {
  const asOpening = async (place: number) => {
    const id = await expenseOf(stage[name], place)
    return { isMoved: false, forge: () => asAccount(`acc_${coreOf(id)}`) }
  }
  return [
    [
      `a transaction of the ${name} as the opening balance of an account, when the restore is taken back`,
      async () => ({ ...(await asOpening(0)), isTakenBack: true }),
      'failed',
    ],
    [
      `a transaction of the ${name} as the opening balance of an account, when a merge is taken back`,
      async () => ({ ...(await asOpening(0)), isMerged: true, isTakenBack: true }),
      'failed',
    ],
    [
      `a transaction of the ${name} as the opening balance of an account, when all is wiped`,
      async () => ({ ...(await asOpening(0)), isWiped: true }),
    ],
    [
      `a transaction of the ${name} as the opening balance of an account, when the user is erased`,
      () => asOpening(at),
    ],
    [
      `a transaction of the ${name} as the opening balance of an account that is erased from the trash`,
      async () => ({ ...(await asOpening(0)), actions: ['deletes and erases accounts'] }),
    ],
  ]
})

const CASES: Case[] = [
  [
    'the labels of a transaction that the sharer shows, by the trash',
    () => ({ isMoved: true, actions: [TRASH], forge: (at) => hadBy(at(stage.sharer.booked)) }),
  ],
  [
    'the labels of a transaction of the stranger that is in the trash, by the trash',
    async () => {
      const id = await first(
        "SELECT id FROM transactions WHERE owner_id = ? AND deleted_at IS NOT NULL AND id LIKE 'txn_%'",
        stage.stranger.id,
      )
      return { isMoved: true, actions: [TRASH], forge: (at) => hadBy(at(id)) }
    },
  ],
  [
    'the bytes of a file, by a file with its id',
    () => {
      const [file] = rowsOf(stage.files, 'attachments')
      const renamed = (to: string) => new Map([[String(file?.['id']), to]])
      const content = new TextEncoder().encode('%PDF-1.7 forged')
      return {
        isMoved: true,
        forge: (at) => ({ renamed: renamed(at(stage.stranger.file)), content }),
      }
    },
  ],
  [
    'a balance assertion, by undoing a reconciliation',
    async () => {
      const id = await first(
        'SELECT id FROM balance_assertions WHERE owner_id = ?',
        stage.stranger.id,
      )
      return {
        isMoved: true,
        actions: ['undoes reconciliations'],
        forge: (at) => withColumn('reconciliations', 'assertion_id', () => at(id)),
      }
    },
  ],
  [
    'a transaction as the adjustment of a reconciliation, by undoing it',
    async () => {
      const id = await expenseOf(stage.sharer)
      return {
        isMoved: true,
        actions: ['undoes reconciliations'],
        forge: (at) => withColumn('reconciliations', 'adjustment_id', () => at(id)),
      }
    },
  ],
  ...(['stranger', 'sharer'] as const).map((name): Case => [
    `what an import of the ${name} booked and found that is deleted, by reverting one with its id`,
    () => {
      const [own] = rowsOf(stage.files, 'imports')
      const renamed = new Map([[String(own?.['id']), stage[name].deletedImport]])
      const actions = ['reverts and deletes imports']
      return { isMoved: false, actions, forge: () => ({ renamed }) }
    },
  ]),
  [
    'accounts and categories as those that an import made, by reverting it',
    () => ({
      isMoved: true,
      actions: ['reverts and deletes imports'],
      forge: (at) =>
        withColumn('imports', 'made', () =>
          JSON.stringify({
            accounts: [at(stage.stranger.two), at(stage.sharer.two)],
            categories: [at(stage.stranger.child), at(stage.sharer.child)],
          }),
        ),
    }),
  ],
  [
    'the name of a payee, by separating what was matched',
    () => ({
      isMoved: true,
      actions: ['separates what was matched'],
      forge: (at) =>
        withColumn('transactions', 'matched_part', (part) =>
          JSON.stringify({
            ...(JSON.parse(part) as object),
            ...{ payeeId: at(stage.stranger.payee), categoryId: at(stage.stranger.category) },
          }),
        ),
    }),
  ],
  ...ERASED,
]

describe('an archive does not reach', () => {
  it.each(CASES)('%s', async (_, how, state) => {
    const outcome = await attack(stage, await how())
    expect(outcome.faults, outcome.error).toEqual([])
    if (state) {
      expect(outcome.state).toBe(state)
    }
  })
})

describe('whatever an archive says, the user who restores it', () => {
  it.each([false, true])(
    'can be erased with an opening balance that has another core than its account, wiped before: %s',
    async (isWiped) => {
      const opening = rowsOf(stage.files, 'transactions').find(({ kind }) => kind === 'opening')
      const account = `acc_${coreOf(String(opening?.['id']))}`
      const other = account.slice(0, -3) + (account.endsWith('000') ? '111' : '000')
      const renamed = new Map([[account, other]])
      const { faults } = await attack(stage, {
        isMoved: false,
        isWiped,
        forge: () => ({ renamed }),
      })
      expect(faults).toEqual([])
    },
  )

  it.each([
    { state: 'done' },
    { state: 'done', isWiped: true },
    { state: 'done', isMerged: true },
    { state: 'failed', isMerged: true, isTakenBack: true },
  ])('can be erased with statements of imports whose names have spaces: %j', async (how) => {
    const outcome = await attack(stage, {
      ...{ isMoved: false, ...how },
      forge: () => withColumn('import_statements', 'import_id', () => 'payments of it'),
    })
    expect(outcome.faults, outcome.error).toEqual([])
    expect(outcome.state).toBe(how.state)
  })

  it('gets no 500 for lines in the trash that no booked line may be like', async () => {
    const text = 'Text of a bank'
    const { faults } = await attack(stage, {
      ...{ isMoved: false, actions: [TRASH] },
      forge: () => ({
        rows: { unbooked_entries: (some) => some.map((row) => ({ ...row, payee_raw: text })) },
      }),
    })
    expect(faults).toEqual([])
  })
})
