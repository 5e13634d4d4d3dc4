import { errorTable } from './errors.ts'
import { type XmlHandler, XmlReader } from './xml-reader.ts'

/** An element. */
export interface XmlElement {
  /** The name as it is written, prefix included. */
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** The text of an element without children. Text between elements is checked, and not kept. */
  text: string
}

const errors = errorTable('xml', {
  malformed: ['invalid', 'This is not a plain, well-formed XML document.'],
})

/** Makes a tree of what a reader says of an element and all that is in it. */
export class XmlTree implements XmlHandler {
  readonly #open: XmlElement[] = []
  /** The last element that was closed: the root, when the document is at its end. */
  closed: XmlElement | undefined

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const element: XmlElement = { name, attributes, children: [], text: '' }
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  close(_name: string, text: string): void {
    this.closed = this.#open.pop() as XmlElement
    this.closed.text = text
  }

  /** The number of open elements. */
  get depth(): number {
    return this.#open.length
  }

  /** Takes the last element that was closed out of the one around it: it is dealt with. */
  dropClosed(): void {
    this.#open.at(-1)?.children.pop()
  }
}

/**
 * Reads a document of the plain part of XML 1.0 that `XmlReader` takes. Throws `xml.malformed`.
 */
export function parseXml(text: string, { maxDepth }: { maxDepth: number }): XmlElement {
  if (!text.isWellFormed()) {
    throw errors.malformed()
  }
  const tree = new XmlTree()
  const reader = new XmlReader(tree, {
    maxDepth,
    encoding: 'utf-8',
    refuse: () => errors.malformed(),
  })
  reader.push(text)
  reader.end()
  return tree.closed as XmlElement
}
