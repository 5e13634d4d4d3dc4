import { expect, it } from 'vitest'
import type { Sources } from './scanner.ts'
import { readSources } from './sources.ts'

// What files of other folders may import has one name: whoever reads it elsewhere knows what it is.

const DECLARED = /^export (?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm
const HANDED_ON = /^export (?:type )?\{([^}]*)\}/gm

/** Files that any area may import: the faces of areas and of the ledger, and the layers below. */
const isShared = (file: string) =>
  file.endsWith('.public.ts') ||
  /^src\/(?:platform\/(?:[\w-]+\/)?|http\/|domain\/)[\w.-]+\.ts$/.test(file)

const namesIn = (text: string): string[] => [
  ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
  ...[...text.matchAll(HANDED_ON)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => name.replace(/^.* as /, '')),
  ),
]

/** `name: files` of each name that two of these files share. A file that hands on what a layer below exports hands on the same. */
function sharedTwice(sources: Sources): string[] {
  const files = new Map<string, string[]>()
  for (const [file, text] of Object.entries(sources).filter(([path]) => isShared(path))) {
    for (const name of new Set(namesIn(text))) {
      files.set(name, [...(files.get(name) ?? []), file])
    }
  }
  return [...files].flatMap(([name, all]) => (all.length > 1 ? [`${name}: ${all.join(', ')}`] : []))
}

/** Names that mean the same in two places, of which no file imports both. */
const ALIKE = ['toInstant: src/domain/calendar.ts, src/http/fields.ts']

it('are each of one thing', () => {
  expect(sharedTwice(readSources()).toSorted()).toEqual(ALIKE.toSorted())
})

it.each([
  ['src/areas/money/tags/tags.public.ts', `export { type Page, readTag as owns } from './a.ts'`],
  ['src/platform/a.ts', 'export interface Page {}\nexport const owns = 1'],
])('would not be of two unseen: %s', (path, text) => {
  const found = sharedTwice({ ...readSources(), [path]: text }).map((one) => one.split(':')[0])
  expect(found).toEqual(expect.arrayContaining(['Page', 'owns']))
})
