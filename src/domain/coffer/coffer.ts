import {
  type FileFormat,
  type Reading,
  type SourceReader,
  bankFileErrors,
} from '../bank-files/format.ts'
import { Items } from '../bank-files/items.ts'
import { type Line, LineCutter } from '../bank-files/lines.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { JsonItems } from '../json-items.ts'
import { recordOf, textOf, type JsonRecord } from '../json-values.ts'
import { put } from '../bank-files/rows.ts'
import type { SourceAccount, SourceStatement } from '../bank-files/source.ts'
import { rowOfExportedTransaction } from './rows.ts'

const DOCUMENT = /^\s*\{\s*"format"\s*:\s*"coffer"/
const HEADER = /^\s*\{\s*"type"\s*:\s*"header"\s*,\s*"format"\s*:\s*"coffer"/

/** Levels of categories; a circle would have no end. */
const MAX_LEVELS = 10

/** The accounts, categories, payees and tags that transactions of an export name by id. */
class CofferNames {
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
    let category = this.#categories.get(id)
    while (category !== undefined && path.length < MAX_LEVELS) {
      path.unshift(category.name)
      category = this.#categories.get(category.parent)
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
    // Lists that differ by their type do not contain the type of the account.
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
    // Shared accounts may appear in rows alone.
    this.#items.account({ key: account })
    const row = rowOfExportedTransaction(item, this, { account, line })
    put(row, 'statement', this.#accounts.get(account))
    this.#items.row(row)
  }
}

/** Exports of this service as one document of JSON, or as lines of it. */
export const coffer: FileFormat = {
  key: 'coffer',
  recognises: (head) => (DOCUMENT.test(head) || HEADER.test(head) ? 1 : 0),
  survey: (known) => surveyByReading('coffer', known, newReader),
  read: (reading) => newReader(reading),
}

/** Characters in which an export says that it is one. */
const MAX_HEAD = 4_096

/** Versions of exports that are known. */
const NEWEST_VERSION = 1

const malformed = (reason: string) => bankFileErrors.malformed({ format: 'JSON', reason })

function mustBeKnown(version: unknown): void {
  if (version !== NEWEST_VERSION) {
    throw malformed('its version is not known here')
  }
}

interface Parser {
  push(text: string): void
  end(): void
}

function newReader(reading: Reading): SourceReader {
  const items = new Items(reading)
  const book = new CofferNames(items)
  let head = ''
  let parser: Parser | undefined
  return {
    push: (text) => {
      if (parser) {
        parser.push(text)
      } else {
        head += text
        parser = parserOf(head, book, items)
        parser?.push(head)
        if (!parser && head.length > MAX_HEAD) {
          throw malformed('it is no export')
        }
      }
      return items.take()
    },
    end: () => {
      if (!parser) {
        throw malformed('it is no export')
      }
      parser.end()
      return items.take()
    },
  }
}

/** Returns the parser of the file once its beginning shows if it holds lines or a document. */
function parserOf(head: string, book: CofferNames, items: Items): Parser | undefined {
  if (HEADER.test(head)) {
    return new LinesParser(book)
  }
  if (!DOCUMENT.test(head)) {
    return undefined
  }
  return new JsonItems({
    wrappers: [],
    take: (path, value) =>
      path === 'version' ? mustBeKnown(value) : book.take(path, value, items.rows + 1),
    refuse: (reason, isCutShort) => (isCutShort ? bankFileErrors.truncated() : malformed(reason)),
  })
}

class LinesParser implements Parser {
  readonly #book: CofferNames
  readonly #lines = new LineCutter()

  constructor(book: CofferNames) {
    this.#book = book
  }

  push(text: string): void {
    for (const line of this.#lines.push(text)) {
      this.#take(line, () => malformed('a line is no JSON'))
    }
  }

  /** A last line without an end is one that broke off, unless it is whole. */
  end(): void {
    for (const line of this.#lines.end()) {
      this.#take(line, () => bankFileErrors.truncated())
    }
  }

  #take({ number, text }: Line, error: () => Error): void {
    if (text.trim() === '') {
      return
    }
    const item = recordOf(parsed(text, error))
    const type = textOf(item, 'type')
    if (type === 'header') {
      mustBeKnown(item['version'])
    } else {
      // An account has a type of its own.
      this.#book.take('openingBalance' in item ? 'accounts' : type, item, number)
    }
  }
}

function parsed(text: string, error: () => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw error()
  }
}
