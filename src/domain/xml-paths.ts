import type { XmlElement } from './xml.ts'

/** Without the prefix: banks choose their own. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The first element down that path. */
export function find(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let found = element
  for (const name of path) {
    found = found?.children.find((child) => child.name === name)
  }
  return found
}

export const findAll = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? []

/** White space that is not one space between words. */
const UNTIDY = /[^\S ]| {2}|^ | $/

/** Returns the text of the element, with each run of white space as one space. */
export function elementText(element: XmlElement | undefined): string {
  const text = element?.text ?? ''
  return UNTIDY.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text
}

export const textAt = (element: XmlElement | undefined, ...path: readonly string[]): string =>
  elementText(find(element, ...path))

/** The first text that is there, by their paths. */
export function firstText(
  element: XmlElement | undefined,
  ...paths: readonly (readonly string[])[]
): string {
  return paths.map((path) => textAt(element, ...path)).find((text) => text !== '') ?? ''
}

/** Texts that a row shows of its element. */
const MAX_RAW = 60

/** All texts of an element by their paths, as far as there is room. */
export function flatten(element: XmlElement, path = ''): Record<string, string> {
  const raw: Record<string, string> = {}
  let room = MAX_RAW
  const take = (one: XmlElement, prefix: string) => {
    for (const child of one.children) {
      const key = prefix + child.name
      if (child.children.length > 0) {
        take(child, `${key}/`)
      } else if (child.text !== '' && room > 0) {
        room -= 1
        raw[key] = raw[key] === undefined ? elementText(child) : `${raw[key]} ${elementText(child)}`
      }
    }
  }
  take(element, path)
  return raw
}
