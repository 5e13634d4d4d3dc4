import type { Random } from '../../support/random.ts'

// Values that no service stores, and JSON with such values in it.

const DEEP = `${'['.repeat(900)}${']'.repeat(900)}`

/** What no column may hold. */
export const RUBBISH: readonly unknown[] = [
  ...[true, [], {}, [[]], 0.5, 1e300, 2 ** 60, -(2 ** 60)],
  ...['x'.repeat(100_001), '\uD800', 'a\u0000b'],
]

/** What some columns may hold. */
export const DOUBTFUL: readonly unknown[] = [
  ...[null, '', 0, 1, -1, 2, 500, 100_000, 2 ** 53 - 1, -(2 ** 53 - 1)],
  ...['x', 'NaN', 'Infinity', '-1', '1e9', '0', '2026-02-30', '1899-12-31', '1900-01-01'],
  ...['2200-12-31', '9999-12-31', '2026-06-30', 'EUR', 'XXX', 'expense', 'open', '__proto__'],
  ...['null', '[]', '{}', '[null]', '[{}]', '"x"', '5', '{"x":1}', '[1,2]', '["x"]', DEEP],
]

const INSIDE: readonly unknown[] = [
  ...[
    ...RUBBISH,
    JSON.parse(DEEP),
    null,
    '',
    0,
    -1,
    'x',
    'NaN',
    '1900-01-01',
    '9999-12-31',
    {},
    { x: 1 },
    [null],
  ],
]

/** The JSON with one value in it replaced, left out or added, whichever chance says. */
export function spoiltJson(json: string, random: Random): string {
  const value = JSON.parse(json) as unknown
  const places: (() => void)[] = []
  const look = (one: unknown) => {
    if (typeof one !== 'object' || one === null) {
      return
    }
    const fields = one as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      places.push(
        () => (fields[name] = random.pick(INSIDE)),
        () => delete fields[name],
      )
      look(fields[name])
    }
    places.push(() => (fields['x'.repeat(random.whole(1, 30))] = random.pick(INSIDE)))
  }
  look(value)
  if (places.length === 0) {
    return JSON.stringify(random.pick(INSIDE))
  }
  random.pick(places)()
  return JSON.stringify(value)
}
