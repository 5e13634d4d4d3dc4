import { describe, expect, it } from 'vitest'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  getTransaction,
  listTransactions,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { updateSplit } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { eventsOfAll } from '../ledger/events.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, refusal } from './booking.ts'
import { match, matched, newReceipt, unmatch } from './matched-parts.fixtures.ts'

const RIGHT_NEEDED = [403, 'auth.rightNeeded']

type Permission = 'view' | 'annotate' | 'write'
type Scope = 'own' | 'all'

async function newHousehold(everyday?: [Permission, Scope], wallet?: [Permission, Scope]) {
  const found = await newReceipt()
  const friend = await newUser()
  for (const [account, given] of [
    [found.everyday, everyday],
    [found.wallet, wallet],
  ] as const) {
    if (given) {
      const [permission, writeScope] = given
      await share(found.me, account, friend, { permission, writeScope })
    }
  }
  return { ...found, friend }
}

describe('whoever has less rights', () => {
  it.each<[string, [Permission, Scope] | undefined, [Permission, Scope] | undefined, unknown[]]>([
    ['neither', undefined, undefined, [404, 'transactions.notFound']],
    [
      'the whole alone',
      ['write', 'all'],
      undefined,
      [400, 'transactions.unknownTransaction', 'transactionId'],
    ],
    ['the row alone', undefined, ['write', 'all'], [404, 'transactions.notFound']],
    ['both, but one to view', ['write', 'all'], ['view', 'all'], RIGHT_NEEDED],
    ['both, but one to annotate', ['annotate', 'all'], ['write', 'all'], RIGHT_NEEDED],
    [
      'both, but what they recorded alone',
      ['write', 'own'],
      ['write', 'own'],
      [403, 'auth.ownBookingsOnly'],
    ],
  ])('matches nothing who sees %s', async (_, everyday, wallet, refused) => {
    const { friend, me, whole, part, row } = await newHousehold(everyday, wallet)
    expect(refusal(await match(friend, whole, part, { transactionId: row.id }))).toEqual(refused)
    expect((await ok(getTransaction, { as: me, id: row.id })).version).toBe(1)
  })

  it.each<[string, [Permission, Scope] | undefined, [Permission, Scope] | undefined, unknown[]]>([
    ['neither', undefined, undefined, [404, 'transactions.notFound']],
    ['the whole alone', ['write', 'all'], undefined, [403, 'transactions.partHidden']],
    ['the row alone', undefined, ['write', 'all'], [404, 'transactions.notFound']],
    ['both, but one to view', ['write', 'all'], ['view', 'all'], RIGHT_NEEDED],
    [
      'both, but what they recorded alone',
      ['write', 'own'],
      ['write', 'own'],
      [403, 'auth.ownBookingsOnly'],
    ],
  ])('unmatches nothing who sees %s', async (_, everyday, wallet, refused) => {
    const { friend, me, whole, part, row } = await newHousehold(everyday, wallet)
    await matched(me, whole, part, row)
    expect(refusal(await unmatch(friend, whole, part))).toEqual(refused)
    expect((await unmatch(me, whole, part)).status).toBe(200)
  })

  it('matches no part that is a transfer with an account that they do not see', async () => {
    const { me, friend, wallet, whole, part, row } = await newHousehold(['write', 'all'])
    const path = { id: whole.id, lineId: part?.id ?? '' }
    await ok(updateSplit, { as: me, path, json: { transferAccountId: wallet.id } })
    expect(refusal(await match(friend, whole, part, { transactionId: row.id }))).toEqual([
      ...[403, 'transactions.partHidden'],
    ])
  })

  it('does both with write on both accounts', async () => {
    const { friend, me, whole, part, row } = await newHousehold(['write', 'all'], ['write', 'all'])
    const joined = await match(friend, whole, part, { transactionId: row.id })
    expect(joined.body).toEqual(await ok(getTransaction, { as: friend, id: whole.id }))
    const { body } = await unmatch(friend, whole, part)
    expect(body.restored).toEqual(await ok(getTransaction, { as: friend, id: row.id }))
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('does not match accounts of two owners', async () => {
    const { me, whole, part } = await newReceipt()
    const other = await newReceipt()
    await share(other.me, other.wallet, me, { permission: 'write', writeScope: 'all' })
    expect(refusal(await match(me, whole, part, { transactionId: other.row.id }))).toEqual([
      ...[409, 'transfers.otherOwner', 'transactionId'],
    ])
  })

  it('is a token for one of the accounts', async () => {
    const { me, everyday, wallet, whole, part, row } = await newReceipt()
    const scopes = ['transactions.read' as const, 'transactions.write' as const]
    const [one, other] = [
      await giveToken(me, scopes, [everyday.id]),
      await giveToken(me, scopes, [wallet.id]),
    ]
    expect(refusal(await match(one, whole, part, { transactionId: row.id }))).toEqual([
      ...[400, 'transactions.unknownTransaction', 'transactionId'],
    ])
    expect((await match(other, whole, part, { transactionId: row.id })).status).toBe(404)
    await matched(me, whole, part, row)
    expect(refusal(await unmatch(one, whole, part))).toEqual([403, 'transactions.partHidden'])
    expect((await unmatch(other, whole, part)).status).toBe(404)
  })
})

describe('whoever sees one side', () => {
  it('is told nothing of the other by a match', async () => {
    const SECRETS = {
      everyday: ['ATM 4711', 'in-1', 'Paid in', 'Note of the row'],
      wallet: ['Corner shop', '37.00', 'Shop'],
    }
    for (const seen of ['everyday', 'wallet'] as const) {
      const view: [Permission, Scope] = ['view', 'all']
      const { me, friend, everyday, wallet, whole, part, row } = await newHousehold(
        seen === 'everyday' ? view : undefined,
        seen === 'wallet' ? view : undefined,
      )
      const told: unknown[] = []
      const look = async () => {
        const { transactions } = await ok(listTransactions, { as: friend })
        told.push(transactions)
        for (const { id } of transactions) {
          told.push(await ok(listTransactionVersions, { as: friend, id }))
        }
        told.push(await ok(getAccountHistory, { as: friend }))
      }
      await matched(me, whole, part, row)
      await look()
      await unmatch(me, whole, part)
      if (seen === 'everyday') {
        await look()
      }
      const text = JSON.stringify(told)
      expect(SECRETS[seen].filter((secret) => text.includes(secret))).toEqual([])
      expect(text).not.toContain(seen === 'everyday' ? wallet.id : everyday.id)
    }
  })

  it('sees the row, and the other side in its place', async () => {
    const { me, friend, whole, part, row } = await newHousehold(undefined, ['view', 'all'])
    await matched(me, whole, part, row)
    const { transactions } = await ok(listTransactions, { as: friend })
    expect(transactions).toMatchObject([
      {
        ...{ id: `${whole.id}-4`, payeeRaw: 'ATM 4711', externalId: 'in-1', description: 'Cash' },
        ...{ parentTransactionId: null, splitId: null, counterAccountId: null },
      },
    ])
    expect((await call(getTransaction, { as: friend, id: row.id })).status).toBe(404)
  })
})

describe('what is private', () => {
  it('is matched where the whole is as well, and comes back private', async () => {
    const { me, friend, wallet, whole, part } = await newHousehold(['view', 'all'], ['view', 'all'])
    const row = await book(me, wallet, { kind: 'income', amount: '30', private: true })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual([
      ...[409, 'transactions.partNotMatchable', 'transactionId'],
    ])
    await ok(updateTransaction, { as: me, id: whole.id, json: { private: true } })
    await matched(me, whole, part, row)
    const seen = await ok(listTransactions, { as: friend })
    expect(seen.transactions.map(({ id }) => id)).not.toContain(`${whole.id}-4`)
    const { body } = await unmatch(me, whole, part)
    expect([body.restored.private, body.transaction.private]).toEqual([true, true])
    expect(await differencesOf(me)).toEqual([])
  })

  it('of somebody else is given back by them alone', async () => {
    const { me, friend, wallet, everyday } = await newHousehold(['write', 'all'], ['write', 'all'])
    const third = await newUser()
    await share(me, everyday, third, { permission: 'write', writeScope: 'all' })
    await share(me, wallet, third, { permission: 'write', writeScope: 'all' })
    const splits = [{ amount: '7' }, { amount: '30' }]
    const whole = await book(friend, everyday, { amount: '37', splits, private: true })
    const row = await book(friend, wallet, {
      ...{ kind: 'income', amount: '30', private: true, description: 'Surprise' },
    })
    await matched(friend, whole, whole.splits[1], row)
    await ok(updateTransaction, { as: friend, id: whole.id, json: { private: false } })
    const refused = await unmatch(third, whole, whole.splits[1])
    expect(refusal(refused)).toEqual([403, 'transactions.partHidden'])
    expect(JSON.stringify(refused.error)).not.toContain('Surprise')
    expect((await unmatch(friend, whole, whole.splits[1])).body.restored.private).toBe(true)
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('an id of the bank', () => {
  it('that somebody used meanwhile, who did not see it, keeps the two together', async () => {
    const { me, friend, wallet, whole, part, row } = await newHousehold(undefined, ['write', 'all'])
    await ok(updateTransaction, { as: me, id: whole.id, json: { private: true } })
    await matched(me, whole, part, row)
    await book(friend, wallet, { kind: 'income', amount: '30', externalId: 'in-1' })
    expect(refusal(await unmatch(me, whole, part))).toEqual([
      ...[409, 'transactions.externalIdTaken', 'externalId'],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('that the owner has on a private row is not taken from a private row of another', async () => {
    const { me, friend, wallet, whole, part } = await newHousehold(undefined, ['write', 'all'])
    const hidden = { kind: 'income' as const, amount: '30', private: true, externalId: 'in-9' }
    await book(me, wallet, hidden)
    const row = await book(friend, wallet, hidden)
    await ok(updateTransaction, { as: me, id: whole.id, json: { private: true } })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual([
      ...[409, 'transactions.externalIdTaken', 'externalId'],
    ])
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('the log', () => {
  it('has one event for each account and the row', async () => {
    const { me, everyday, wallet, whole, part, row } = await newReceipt()
    const since = (await eventsOfAll(me)).length
    await matched(me, whole, part, row)
    await unmatch(me, whole, part)
    const told = (await eventsOfAll(me))
      .slice(since)
      .map((event) => [...[event.type, event.id, event.accountId, event.version]])
    const leg = `${whole.id}-4`
    expect(told).toEqual([
      ['transaction.splitMatched', whole.id, everyday.id, 2],
      ['transaction.splitMatched', leg, wallet.id, 2],
      ['transaction.splitMatched', row.id, wallet.id, 2],
      ['transaction.splitUnmatched', whole.id, everyday.id, 3],
      ['transaction.splitUnmatched', leg, wallet.id, 3],
      ['transaction.splitUnmatched', row.id, wallet.id, 3],
    ])
    const { versions } = await ok(listTransactionVersions, { as: me, id: whole.id })
    expect(versions.map(({ action }) => action)).toEqual([
      ...['transaction.splitUnmatched', 'transaction.splitMatched', 'transaction.created'],
    ])
    const path = { id: whole.id, lineId: part?.id ?? '' }
    await ok(updateSplit, { as: me, path, json: { transferAccountId: wallet.id } })
    const forced = await change(me, row, { status: 'reconciled' })
    await match(me, whole, part, { transactionId: forced.body.id, force: true })
    const contents = await rows<{ content: string }>(
      `SELECT content FROM log_entries WHERE type = 'transaction.splitMatched' AND resource_id IN (?, ?)
        ORDER BY number DESC LIMIT 2`,
      row.id,
      whole.id,
    )
    expect(contents.map(({ content }) => JSON.parse(content).forced)).toEqual([true, true])
  })
})
