import { fileErrors } from '../bank-files/errors.ts'
import type { Format, Reading, SourceReader } from '../bank-files/format.ts'
import { Items } from '../bank-files/items.ts'
import { type Line, Lines } from '../bank-files/lines.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { JsonItems } from '../json-items.ts'
import { recordOf, textOf } from '../json-values.ts'
import { Book } from './book.ts'

const DOCUMENT = /^\s*\{\s*"format"\s*:\s*"coffer"/
const HEADER = /^\s*\{\s*"type"\s*:\s*"header"\s*,\s*"format"\s*:\s*"coffer"/

/** Exports of this service as one document of JSON, or as lines of it. */
export const coffer: Format = {
  key: 'coffer',
  recognises: (head) => (DOCUMENT.test(head) || HEADER.test(head) ? 1 : 0),
  survey: (known) => surveyByReading('coffer', known, newReader),
  read: (reading) => newReader(reading),
}

/** Characters in which an export says that it is one. */
const MAX_HEAD = 4_096

/** Versions of exports that are known. */
const NEWEST_VERSION = 1

const malformed = (reason: string) => fileErrors.malformed({ format: 'JSON', reason })

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
  const book = new Book(items)
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

/** As soon as enough is there to tell lines from a document. */
function parserOf(head: string, book: Book, items: Items): Parser | undefined {
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
    refuse: (reason, isCutShort) => (isCutShort ? fileErrors.truncated() : malformed(reason)),
  })
}

class LinesParser implements Parser {
  readonly #book: Book
  readonly #lines = new Lines()

  constructor(book: Book) {
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
      this.#take(line, () => fileErrors.truncated())
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
