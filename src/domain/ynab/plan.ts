import { bankFileErrors } from '../bank-files/format.ts'
import { type JsonRecord, listOf, recordOf, textOf } from '../json-values.ts'

/** A plan of YNAB, whichever of its two programs wrote it. Amounts are thousandths. */
export interface YnabPlan {
  /** The day of the export. */
  day: string
  currency: string
  accounts: PlanAccount[]
  payees: Map<string, string>
  groups: Map<string, string>
  categories: Map<string, { name: string; group: string }>
  transactions: PlanTransaction[]
  /** Parts, by their transaction. */
  parts: Map<string, PlanPart[]>
}

export interface PlanAccount {
  id: string
  name: string
  type: string
  balance: number | undefined
  isDeleted: boolean
}

export interface PlanPart {
  id: string
  amount: number | undefined
  memo: string
  payee: string
  category: string
  /** The account on the other side of a transfer. */
  otherAccount: string
  /** The transaction on that account. */
  otherId: string
  isDeleted: boolean
}

export interface PlanTransaction extends PlanPart {
  account: string
  date: string
  status: string
  flag: string
  /** The payee as the bank wrote it. */
  payeeRaw: string
}

export const newYnabPlan = (): YnabPlan => ({
  day: '',
  currency: '',
  accounts: [],
  payees: new Map(),
  groups: new Map(),
  categories: new Map(),
  transactions: [],
  parts: new Map(),
})

/** Parts of one transaction: all of them are compared with it at once. */
const MAX_PARTS = 10_000

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A whole number of thousandths. */
const thousandths = (value: unknown) =>
  Number.isSafeInteger(value) ? (value as number) : undefined

/** YNAB 4 writes numbers with a point. */
const fromNumber = (value: unknown) =>
  typeof value === 'number' ? thousandths(Math.round(value * 1000)) : undefined

export function addPart(plan: YnabPlan, transaction: string, part: PlanPart): void {
  const parts = plan.parts.get(transaction)
  if (parts && parts.length >= MAX_PARTS) {
    throw bankFileErrors.malformed({
      format: 'YNAB',
      reason: `a transaction has more than ${MAX_PARTS} parts`,
    })
  }
  if (parts) {
    parts.push(part)
  } else {
    plan.parts.set(transaction, [part])
  }
}

/** Takes a value of the API of YNAB into the plan. */
export function takeFromApi(plan: YnabPlan, name: string, value: unknown): void {
  const item = recordOf(value)
  switch (name) {
    case 'last_modified_on':
      plan.day = wordOf(value).slice(0, 10)
      break
    case 'currency_format.iso_code':
      plan.currency = wordOf(value)
      break
    case 'accounts':
      plan.accounts.push({
        id: textOf(item, 'id'),
        name: textOf(item, 'name'),
        type: textOf(item, 'type'),
        balance: thousandths(item['balance']),
        isDeleted: item['deleted'] === true,
      })
      break
    case 'payees':
      plan.payees.set(textOf(item, 'id'), textOf(item, 'name'))
      break
    case 'category_groups':
      plan.groups.set(textOf(item, 'id'), textOf(item, 'name'))
      break
    case 'categories':
      plan.categories.set(textOf(item, 'id'), {
        name: textOf(item, 'name'),
        // A hidden one remembers where it was.
        group: textOf(item, 'original_category_group_id') || textOf(item, 'category_group_id'),
      })
      break
    case 'transactions':
      plan.transactions.push({
        ...partOf(item),
        account: textOf(item, 'account_id'),
        date: textOf(item, 'date'),
        status: textOf(item, 'cleared'),
        flag: textOf(item, 'flag_name') || textOf(item, 'flag_color'),
        payeeRaw: textOf(item, 'import_payee_name_original') || textOf(item, 'import_payee_name'),
      })
      for (const part of listOf(item, 'subtransactions')) {
        addPart(plan, textOf(item, 'id'), partOf(part))
      }
      break
    case 'subtransactions':
      addPart(plan, textOf(item, 'transaction_id'), partOf(item))
      break
  }
}

const partOf = (item: JsonRecord): PlanPart => ({
  id: textOf(item, 'id'),
  amount: thousandths(item['amount']),
  memo: textOf(item, 'memo'),
  payee: textOf(item, 'payee_id'),
  category: textOf(item, 'category_id'),
  otherAccount: textOf(item, 'transfer_account_id'),
  otherId: textOf(item, 'transfer_transaction_id'),
  isDeleted: item['deleted'] === true,
})

/** Takes a value of `Budget.yfull` of YNAB 4 into the plan. */
export function takeFromArchive(plan: YnabPlan, name: string, value: unknown): void {
  const item = recordOf(value)
  const id = textOf(item, 'entityId')
  switch (name) {
    case 'accounts':
      plan.accounts.push({
        id,
        name: textOf(item, 'accountName'),
        type: textOf(item, 'accountType'),
        balance: undefined,
        isDeleted: item['isTombstone'] === true,
      })
      break
    case 'payees':
      plan.payees.set(id, textOf(item, 'name'))
      break
    case 'masterCategories':
      plan.groups.set(id, textOf(item, 'name'))
      for (const category of listOf(item, 'subCategories')) {
        plan.categories.set(textOf(category, 'entityId'), {
          name: textOf(category, 'name'),
          group: id,
        })
      }
      break
    case 'categories':
      plan.categories.set(id, {
        name: textOf(item, 'name'),
        group: textOf(item, 'masterCategoryId'),
      })
      break
    case 'subTransactions':
      addPart(plan, textOf(item, 'parentTransactionId'), archivedPart(item))
      break
    case 'transactions':
      plan.transactions.push({
        ...archivedPart(item),
        account: textOf(item, 'accountId'),
        date: textOf(item, 'date').slice(0, 10),
        status: textOf(item, 'cleared').toLowerCase(),
        flag: textOf(item, 'flag'),
        payeeRaw: textOf(item, 'importedPayee'),
      })
      for (const part of listOf(item, 'subTransactions')) {
        addPart(plan, id, archivedPart(part))
      }
      break
  }
}

const archivedPart = (item: JsonRecord): PlanPart => ({
  id: textOf(item, 'entityId'),
  amount: fromNumber(item['amount']),
  memo: textOf(item, 'memo'),
  payee: textOf(item, 'payeeId'),
  category: textOf(item, 'categoryId'),
  otherAccount: textOf(item, 'targetAccountId'),
  otherId: textOf(item, 'transferTransactionId'),
  isDeleted: item['isTombstone'] === true,
})
