import fc from 'fast-check'
import { expect, it } from 'vitest'
import { beginFileAt } from '../support/of-file.ts'
import { SEED } from '../support/rounds.ts'
import { readSources } from './sources.ts'

// All that tests draw follows from one seed (test/support/chance.ts), so that each run of the suite tests the same.

const CHANCE =
  /\bMath\.random\b|\bgetRandomValues\b|\brandom(?:Bytes|Int|FillSync|Fill)\b|\brandomUUID\b(?=[^\n]*node:crypto)|\bseed\b[^\n]*\bDate\.now\b/

/** What tests draw all the same, and why what they assert holds for any of it. */
const DRAWN: Record<string, string> = {
  'test/arch/chance.test.ts': 'it names what it looks for',
  'test/books/prove.ts': 'npm run prove:money, which prints the seed that it begins with',
  'test/books/budgets/prove.ts': 'npm run prove:budgets, which does so, too',
  'test/arch/imports.test.ts': 'it plants chance in a use case, for the scanner to find',
}

/** Files of tests that draw what no seed repeats, with the line. */
const drawing = (sources: Record<string, string>): string[] =>
  Object.entries(sources)
    .filter(([file]) => file.startsWith('test/') && DRAWN[file] === undefined)
    .filter(([, text]) => CHANCE.test(text))
    .flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => CHANCE.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )

it('no test draws what its seed does not repeat', () => {
  const sources = readSources()
  expect(drawing(sources)).toEqual([])
  expect(Object.keys(DRAWN).filter((file) => sources[file] === undefined)).toEqual([])
})

it.each([
  'const amount = Math.random()',
  'const key = crypto.getRandomValues(new Uint8Array(32))',
  "import { randomBytes } from 'node:crypto'",
  "import { randomUUID } from 'node:crypto'",
  'const name = randomInt(9)',
  'fc.assert(property, { seed: Date.now() })',
])('finds %s', (line) => {
  expect(drawing({ 'test/areas/tags/tags.test.ts': line })).toHaveLength(1)
})

it.each(['crypto.randomUUID()', 'randomFrom(SEED)', 'someBytes(32)', '{ seed: SEED }'])(
  'lets %s be',
  (line) => {
    expect(drawing({ 'test/areas/tags/tags.test.ts': line })).toEqual([])
  },
)

it('properties begin at the seed of the run, and UUIDs where their file does', () => {
  expect(fc.readConfigureGlobal().seed).toBe(SEED)
  const drawn = [7, 7, 8].map((seed) => {
    beginFileAt(seed)
    return crypto.randomUUID()
  })
  expect(drawn[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(drawn[1]).toBe(drawn[0])
  expect(drawn[2]).not.toBe(drawn[0])
})
