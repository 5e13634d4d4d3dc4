import { expect, test } from 'vitest'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { generate } from './hostile.fixtures.ts'
import { booked, readCsv } from './read-csv.fixtures.ts'

for (let round = 0; round < rounds(1, 50); round += 1) {
  const seed = (SEED + round) >>> 0
  test(`10,000 lines of a hostile file are read as they were meant (COFFER_SEED=${seed})`, () => {
    const next = randomFrom(seed).below
    const { text, expected, style } = generate(next, 10_000)
    const { rows, survey } = readCsv(text, {}, 1 + next(100_000))
    expect(survey.reading).toMatchObject({
      delimiter: style.delimiter,
      decimal: style.decimal,
      dateOrder: style.order,
      headerLine: 3,
    })
    const found = rows.map((row) => ({
      line: row.line,
      booked: booked(row),
      description: row.description,
    }))
    expect(found.length).toBe(expected.length)
    const different = found.findIndex(
      (row, index) => JSON.stringify(row) !== JSON.stringify(expected[index]),
    )
    expect([seed, style, found[different]]).toEqual([seed, style, expected[different]])
  })
}
