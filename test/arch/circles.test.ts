import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readSources } from './sources.ts'

// No file comes back to itself through what it imports, types included: each can be read without those that need it.

type Texts = Record<string, string>

const importsOf = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )

/** The files of each circle. What imports nothing is left out, and then what imports only that, until circles are left. */
function inCircles(texts: Texts): string[] {
  const imports = new Map(
    Object.entries(texts).map(([file, text]) => [
      file,
      new Set(importsOf(file, text).filter((other) => other in texts)),
    ]),
  )
  const importers = Map.groupBy(
    [...imports].flatMap(([file, others]) => [...others].map((other) => ({ file, other }))),
    ({ other }) => other,
  )
  const free = [...imports].flatMap(([file, { size }]) => (size === 0 ? [file] : []))
  for (const file of free) {
    imports.delete(file)
    for (const importer of importers.get(file) ?? []) {
      const left = imports.get(importer.file)
      left?.delete(file)
      if (left?.size === 0) {
        free.push(importer.file)
      }
    }
  }
  // What is left is in a circle, or imports one: this is left out from the other end.
  const isImported = (file: string) =>
    (importers.get(file) ?? []).some((one) => imports.has(one.file))
  for (let outer = [...imports.keys()].filter((file) => !isImported(file)); outer.length > 0;) {
    outer.forEach((file) => imports.delete(file))
    outer = [...imports.keys()].filter((file) => !isImported(file))
  }
  return [...imports.keys()]
}

const ALL: Texts = Object.fromEntries(
  Object.entries(readSources()).filter(([file]) => !file.startsWith('test/')),
)

it('no file imports itself by way of others', () => {
  expect(Object.keys(ALL).length).toBeGreaterThan(1000)
  expect(inCircles(ALL)).toEqual([])
})

it('a circle of types is found, without what leads to it', () => {
  const texts = {
    'src/a.ts': "import type { B } from './b.ts'",
    'src/b.ts': "import type { C } from './c/c.ts'\nimport { d } from './d.ts'",
    'src/c/c.ts': "import type { A } from '../a.ts'",
    'src/d.ts': '',
    'src/e.ts': "import { a } from './a.ts'",
  }
  expect(inCircles(texts).toSorted()).toEqual(['src/a.ts', 'src/b.ts', 'src/c/c.ts'])
})

it('the schema imports nothing but itself and the domain', () => {
  const imported = Object.entries(ALL)
    .filter(([file]) => file.startsWith('drizzle/'))
    .flatMap(([file, text]) => importsOf(file, text))
  expect(imported.length).toBeGreaterThan(10)
  expect(imported.filter((other) => !/^(?:drizzle|src\/domain)\//.test(other))).toEqual([])
})
