import { errorTable } from './errors.ts'

/** An element; text between elements is checked, and not kept. */
export interface XmlElement {
  /** As it is written, prefix included. */
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
}

const errors = errorTable('xml', {
  malformed: ['invalid', 'This is not a plain, well-formed XML document.'],
})

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const VALUE = `"[^"<&]*"|'[^'<&]*'`
const SPACE = '[ \\t\\r\\n]'

// Each is tried at one place only, and no two of its parts match the same text: linear time.
const DECLARATION = new RegExp(
  `<\\?xml${SPACE}+version${SPACE}*=${SPACE}*(?:"1\\.0"|'1\\.0')` +
    `(?:${SPACE}+encoding${SPACE}*=${SPACE}*(?:"UTF-8"|'UTF-8'))?` +
    `(?:${SPACE}+standalone${SPACE}*=${SPACE}*(?:"(?:yes|no)"|'(?:yes|no)'))?${SPACE}*\\?>`,
  'iy',
)
const COMMENT = /<!--(?:[^-]|-[^-])*-->/y
const OPENING = new RegExp(
  `<(${NAME})((?:${SPACE}+${NAME}${SPACE}*=${SPACE}*(?:${VALUE}))*)${SPACE}*(/?)>`,
  'y',
)
const CLOSING = new RegExp(`</(${NAME})${SPACE}*>`, 'y')
const TEXT = /(?:[^<&\]]|\](?!\]>)|&(?:amp|lt|gt|quot|apos);)+/y
const ATTRIBUTE = new RegExp(`(${NAME})${SPACE}*=${SPACE}*(${VALUE})`, 'g')

/** What no XML document may hold (XML 1.0, production 2), without the halves of characters. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** How far a document was read. */
interface Reading {
  readonly text: string
  at: number
}

/**
 * Reads a document of the plain part of XML 1.0: elements, attributes, text, comments. All else is refused,
 * well-formed or not: document types (and so entities and what they expand to), processing instructions, CDATA,
 * references in attributes, character references, names beyond ASCII. Namespaces are not resolved.
 * Throws `xml.malformed`.
 */
export function parseXml(text: string, { maxDepth }: { maxDepth: number }): XmlElement {
  if (FORBIDDEN.test(text) || !text.isWellFormed()) {
    throw errors.malformed()
  }
  const reading: Reading = { text, at: 0 }
  take(reading, DECLARATION)
  const [root, ...others] = readContent(reading, undefined, maxDepth)
  if (root === undefined || others.length > 0) {
    throw errors.malformed()
  }
  return root
}

/**
 * Reads on to the end tag of the element that surrounds the content, or, of the document, to its end.
 * @param depth how many elements may still be within each other
 */
function readContent(
  reading: Reading,
  surrounding: string | undefined,
  depth: number,
): XmlElement[] {
  const children: XmlElement[] = []
  while (reading.at < reading.text.length) {
    const opening = take(reading, OPENING)
    if (opening) {
      children.push(readElement(reading, opening as unknown as Opening, depth))
      continue
    }
    const closing = take(reading, CLOSING)
    if (closing) {
      if (closing[1] !== surrounding) {
        throw errors.malformed()
      }
      return children
    }
    if (!take(reading, COMMENT)) {
      skipWords(reading, surrounding)
    }
  }
  if (surrounding !== undefined) {
    throw errors.malformed()
  }
  return children
}

/** What OPENING finds: the whole, the name, the attributes, a slash if it is empty. */
type Opening = [string, string, string, string]

function readElement(
  reading: Reading,
  [, name, written, slash]: Opening,
  depth: number,
): XmlElement {
  if (depth === 0) {
    throw errors.malformed()
  }
  const attributes = new Map<string, string>()
  for (const found of written.matchAll(ATTRIBUTE)) {
    const [, key, value] = found as unknown as [string, string, string]
    if (attributes.has(key)) {
      throw errors.malformed()
    }
    attributes.set(key, value.slice(1, -1))
  }
  const children = slash === '' ? readContent(reading, name, depth - 1) : []
  return { name, attributes, children }
}

/** Text says nothing here, but outside of the root there may be white space only. */
function skipWords(reading: Reading, surrounding: string | undefined): void {
  const words = take(reading, TEXT)
  if (!words || (surrounding === undefined && /[^ \t\r\n]/.test(words[0]))) {
    throw errors.malformed()
  }
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.text)
  if (found) {
    reading.at += found[0].length
  }
  return found
}
