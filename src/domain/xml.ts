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
  const top: XmlElement = { name: '', attributes: new Map(), children: [] }
  const open = [top]
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  take(DECLARATION)
  while (at < text.length) {
    const parent = open.at(-1) ?? top
    const opening = take(OPENING)
    if (opening) {
      const element = elementOf(opening)
      parent.children.push(element)
      if (opening[3] === '') {
        open.push(element)
      }
    } else if (!closes(parent, take(CLOSING), open) && !take(COMMENT)) {
      const words = take(TEXT)?.[0]
      if (words === undefined || (parent === top && /[^ \t\r\n]/.test(words))) {
        throw errors.malformed()
      }
    }
    if (open.length > maxDepth + 1 || top.children.length > 1) {
      throw errors.malformed()
    }
  }
  const [root] = top.children
  if (open.length !== 1 || root === undefined) {
    throw errors.malformed()
  }
  return root
}

function elementOf([, name = '', written = '']: RegExpExecArray): XmlElement {
  const attributes = new Map<string, string>()
  for (const [, key = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    if (attributes.has(key)) {
      throw errors.malformed()
    }
    attributes.set(key, value.slice(1, -1))
  }
  return { name, attributes, children: [] }
}

/** Whether there was an end tag; it must be that of the innermost element. */
function closes(
  innermost: XmlElement,
  closing: RegExpExecArray | undefined,
  open: XmlElement[],
): boolean {
  if (!closing) {
    return false
  }
  if (closing[1] !== innermost.name) {
    throw errors.malformed()
  }
  open.pop()
  return true
}
