import {
  type FileFormat,
  type Reading,
  type SourceReader,
  bankFileErrors,
} from '../bank-files/format.ts'
import { Items } from '../bank-files/items.ts'
import { surveyByReading } from '../bank-files/surveys.ts'
import { type XmlHandler, XmlReader } from '../xml-reader.ts'
import { hasOpenValues, SgmlReader } from './sgml.ts'
import { malformed, OfxHandler } from './statements.ts'

/** Characters of a file in which its format must show. */
const HEAD = 4_096

/** Open Financial Exchange: SGML (1.x) and XML (2.x), and QFX, which is the same. */
export const ofx: FileFormat = {
  key: 'ofx',
  recognises: (head) => {
    const text = head.slice(0, HEAD)
    if (!/OFXHEADER|<\?OFX|<OFX>/i.test(text)) {
      return 0
    }
    // In the midst of something else it may be a cell.
    return /^\s*(?:OFXHEADER|<)/i.test(text) ? 1 : 0.9
  },
  survey: (known) => surveyByReading('ofx', known, newReader),
  read: (reading) => newReader(reading),
}

const refuse = (reason: string, isCutShort: boolean) =>
  isCutShort ? bankFileErrors.truncated() : malformed(reason)

const LIMITS = { maxDepth: 64, maxAttributes: 100, maxText: 10 * 1024, instruction: 'OFX', refuse }

function newReader(reading: Reading): SourceReader {
  const items = new Items(reading)
  const handler = new OfxHandler(items)
  const parser = new EitherReader(handler)
  return {
    push: (text) => {
      parser.push(text)
      return items.take()
    },
    end: () => {
      parser.end()
      if (!handler.hasStatement) {
        throw bankFileErrors.noStatements({ format: 'OFX' })
      }
      return items.take()
    },
  }
}

/** XML begins with a declaration, SGML with a header of its own or none. Some banks write SGML below a declaration. */
class EitherReader {
  readonly #handler: XmlHandler
  #head = ''
  #parser: Pick<XmlReader, 'push' | 'end'> | undefined

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  push(text: string): void {
    if (this.#parser) {
      this.#parser.push(text)
      return
    }
    this.#head += text
    if (this.#head.length > HEAD) {
      this.#begin()
    }
  }

  end(): void {
    const parser = this.#parser ?? this.#begin()
    parser.end()
  }

  #begin(): Pick<XmlReader, 'push' | 'end'> {
    const start = this.#head.indexOf('<')
    if (start === -1) {
      throw malformed('it holds no <OFX>')
    }
    const isXml = this.#head[start + 1] === '?' && !hasOpenValues(this.#head)
    this.#parser = isXml
      ? new XmlReader(this.#handler, LIMITS)
      : new SgmlReader(this.#handler, { maxDepth: 32, refuse })
    this.#parser.push(this.#head.slice(start))
    return this.#parser
  }
}
