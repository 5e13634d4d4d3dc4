import { readIsoDay } from '../bank-files/dates.ts'
import { fromUnits, sumDecimals } from '../bank-files/decimals.ts'
import type { Items } from '../bank-files/items.ts'
import { forEachInSteps, type Steps } from '../steps.ts'
import { joinedTexts, newRow, put, rowError } from '../bank-files/rows.ts'
import type { SourceAccount, SourcePart, SourceRow, SourceStatement } from '../bank-files/source.ts'
import { TransferPairs } from '../bank-files/transfer-pairs.ts'
import type { YnabPlan, PlanPart, PlanTransaction } from './plan.ts'

/** Groups of categories that are none: money that is not assigned yet, and the sides of credit cards. */
const NO_GROUPS = new Set(['Internal Master Category', 'Credit Card Payments'])

const STEP_ROWS = 500

/** Says what a plan holds: accounts, a statement for each as of the day of the export, and rows. */
export function* sayPlan(plan: YnabPlan, items: Items): Steps<void> {
  const statements = new Map<string, number>()
  for (const account of plan.accounts) {
    const found: SourceAccount = { key: account.id }
    put(found, 'name', account.name)
    put(found, 'type', account.type)
    put(found, 'currency', plan.currency)
    items.account(found)
    if (account.balance !== undefined && !account.isDeleted) {
      statements.set(account.id, items.statement(statementOf(plan, account.id, account.balance)))
    }
  }
  const deleted = new Set(plan.accounts.filter((one) => one.isDeleted).map(({ id }) => id))
  const pairs = yield* pairsOf(plan)
  // From the end, so that each can go when its row is made.
  plan.transactions.reverse()
  for (let next = plan.transactions.pop(); next; next = plan.transactions.pop()) {
    const row = rowOf(plan, next, { line: items.rows + 1, pairs })
    if (deleted.has(next.account)) {
      row.ignored = 'deleted'
    }
    // Transactions after the day of the export are not in the exported balance.
    if (row.date !== undefined && row.date <= plan.day) {
      put(row, 'statement', statements.get(next.account))
    }
    items.row(row)
    if (items.rows % STEP_ROWS === 0) {
      yield
    }
  }
  for (const { id, balance } of plan.accounts) {
    const index = statements.get(id)
    if (index !== undefined && balance !== undefined) {
      items.endStatement(index, statementOf(plan, id, balance))
    }
  }
}

function statementOf(plan: YnabPlan, account: string, balance: number): SourceStatement {
  const statement: SourceStatement = {
    account,
    opening: '0',
    closing: fromUnits(BigInt(balance), 3),
    evidence: [],
    pages: 1,
    interim: false,
  }
  put(statement, 'through', readIsoDay(plan.day)?.date)
  put(statement, 'currency', plan.currency)
  return statement
}

/** By the id of a transaction or of a part: what it shares with its other side. */
type PairFinder = (part: PlanPart, account: string, date: string, amount: string) => string

/** Ids say who belongs together where they are written; older transfers of parts have none. */
function* pairsOf(plan: YnabPlan): Steps<PairFinder> {
  const byId = new Map<string, string>()
  yield* forEachInSteps(plan.parts.values(), (parts) => {
    for (const { id, otherId } of parts) {
      if (otherId !== '') {
        byId.set(id, id)
        byId.set(otherId, id)
      }
    }
  })
  const unpaired = new TransferPairs()
  return ({ id, otherId, otherAccount }, account, date, amount) => {
    const known = byId.get(id)
    if (known !== undefined) {
      return known
    }
    return otherId === ''
      ? unpaired.keyOf(account, otherAccount, date, amount)
      : [id, otherId].toSorted().join('/')
  }
}

function rowOf(
  plan: YnabPlan,
  transaction: PlanTransaction,
  { line, pairs }: { line: number; pairs: PairFinder },
): SourceRow {
  const { account, otherAccount, memo } = transaction
  const row = newRow(line, account)
  put(row, 'currency', plan.currency)
  const payee = otherAccount === '' ? (plan.payees.get(transaction.payee) ?? '') : ''
  row.raw = { id: transaction.id, date: transaction.date, amount: String(transaction.amount) }
  put(row.raw, 'payee', payee)
  put(row.raw, 'memo', memo)
  setDate(row, transaction.date)
  setAmount(row, transaction)
  put(row, 'payeeRaw', payee || transaction.payeeRaw)
  put(row, 'description', memo)
  put(row, 'category', categoryOf(plan, transaction))
  put(row, 'status', transaction.status === 'uncleared' ? 'uncleared' : undefined)
  put(row.metadata, 'flag', transaction.flag)
  row.text = joinedTexts(payee, memo)
  row.bankId = { scheme: 'ynab', id: transaction.id }
  if (transaction.isDeleted) {
    row.ignored = 'deleted'
    return row
  }
  if (otherAccount !== '') {
    const pair = pairs(transaction, account, transaction.date, row.amount ?? '')
    row.transfer = { account: otherAccount, pair }
  }
  setParts(row, plan, { transaction, pairs })
  return row
}

function setDate(row: SourceRow, written: string): void {
  const day = readIsoDay(written)
  if (day && !day.isRepaired) {
    row.date = day.date
  } else {
    row.errors.push(
      written === '' ? rowError.dateMissing('date') : rowError.dateInvalid('date', written),
    )
  }
}

function setAmount(row: SourceRow, { amount }: PlanTransaction): void {
  if (amount === undefined) {
    row.errors.push(rowError.amountMissing('amount'))
  } else {
    row.amount = fromUnits(BigInt(amount), 3)
  }
}

function setParts(
  row: SourceRow,
  plan: YnabPlan,
  { transaction, pairs }: { transaction: PlanTransaction; pairs: PairFinder },
): void {
  const parts = (plan.parts.get(transaction.id) ?? []).filter(({ isDeleted }) => !isDeleted)
  row.parts = parts.map((part) => {
    const amount = fromUnits(BigInt(part.amount ?? 0), 3)
    const made: SourcePart = { amount }
    put(made, 'description', joinedTexts(plan.payees.get(part.payee), part.memo))
    put(made, 'category', categoryOf(plan, part))
    if (part.otherAccount !== '') {
      made.transfer = part.otherAccount
      made.description = part.memo
      made.pair = pairs(part, transaction.account, transaction.date, amount)
    }
    return made
  })
  const sum = sumDecimals(row.parts.map(({ amount }) => amount))
  if (parts.length > 0 && row.amount !== undefined && sum !== row.amount) {
    row.errors.push(rowError.partsDoNotSum('subtransactions', sum, row.amount))
  }
}

function categoryOf(plan: YnabPlan, { category }: PlanPart): string[] | undefined {
  const found = plan.categories.get(category)
  const group = plan.groups.get(found?.group ?? '')
  if (!found || (group !== undefined && NO_GROUPS.has(group))) {
    return undefined
  }
  return group === undefined ? [found.name] : [group, found.name]
}
