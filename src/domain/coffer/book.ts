import type { Items } from '../bank-files/items.ts'
import { put } from '../bank-files/rows.ts'
import type { SourceAccount, SourceStatement } from '../bank-files/source.ts'
import { type JsonRecord, recordOf, textOf } from '../json-values.ts'
import { rowOfTransaction } from './rows.ts'

/** Levels of categories; a circle would have no end. */
const MAX_LEVELS = 10

/** What transactions of an export name by id. */
export class Book {
  readonly #items: Items
  readonly #accounts = new Map<string, number>()
  readonly #categories = new Map<string, { name: string; parent: string }>()
  readonly #payees = new Map<string, string>()
  readonly #tags = new Map<string, string>()

  constructor(items: Items) {
    this.#items = items
  }

  /** A row of a list, which comes after the rows that it names. */
  take(list: string, value: unknown, line: number): void {
    const item = recordOf(value)
    const id = textOf(item, 'id')
    switch (list) {
      case 'accounts':
        this.#takeAccount(item)
        break
      case 'categories':
        this.#categories.set(id, { name: textOf(item, 'name'), parent: textOf(item, 'parentId') })
        break
      case 'payees':
        this.#payees.set(id, textOf(item, 'name'))
        break
      case 'tags':
        this.#tags.set(id, textOf(item, 'name'))
        break
      case 'transactions':
        this.#takeTransaction(item, line)
        break
    }
  }

  payee = (id: string): string => this.#payees.get(id) ?? ''

  tags = (ids: unknown): string[] =>
    Array.isArray(ids)
      ? ids.flatMap((id) => (typeof id === 'string' && this.#tags.get(id)) || [])
      : []

  category(id: string): string[] | undefined {
    const path: string[] = []
    let at = this.#categories.get(id)
    while (at !== undefined && path.length < MAX_LEVELS) {
      path.unshift(at.name)
      at = this.#categories.get(at.parent)
    }
    return path.length > 0 ? path : undefined
  }

  #takeAccount(item: JsonRecord): void {
    const account: SourceAccount = { key: textOf(item, 'id') }
    put(account, 'name', textOf(item, 'name'))
    put(account, 'iban', textOf(item, 'iban'))
    put(account, 'number', textOf(item, 'number'))
    put(account, 'bank', textOf(item, 'institution'))
    put(account, 'currency', textOf(item, 'currency'))
    // Where lists are told apart by their type, that of the account is not there.
    put(
      account,
      'type',
      textOf(item, 'accountType') || textOf(item, 'type').replace(/^accounts?$/, ''),
    )
    this.#items.account(account)
    // An export may hold some of the rows only, so its closing balance says nothing.
    const statement: SourceStatement = {
      account: account.key,
      evidence: [],
      pages: 1,
      interim: false,
    }
    put(statement, 'opening', textOf(item, 'openingBalance'))
    put(statement, 'openingDate', textOf(item, 'openingDate'))
    put(statement, 'currency', account.currency)
    const index = this.#items.statement(statement)
    this.#items.endStatement(index, statement)
    this.#accounts.set(account.key, index)
  }

  #takeTransaction(item: JsonRecord, line: number): void {
    const account = textOf(item, 'accountId')
    // Of shared accounts there may be rows alone.
    this.#items.account({ key: account })
    const row = rowOfTransaction(item, this, { account, line })
    put(row, 'statement', this.#accounts.get(account))
    this.#items.row(row)
  }
}
