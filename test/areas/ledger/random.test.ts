import { expect, it } from 'vitest'
import { differencesIn } from '../../books/comparison.ts'
import { openBooks, type Send } from '../../books/books.ts'
import { Refused } from '../../books/sending.ts'
import { keep } from '../../books/steps.ts'
import { fetchRaw } from '../../support/api.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from './ledger.ts'
import { randomFrom } from '../../support/random.ts'
import { flawsOfLog } from './replay.ts'

const sendAs =
  ({ accessToken }: TestUser): Send =>
  async <Body>(method: string, path: string, json?: object) => {
    const response = await fetchRaw(path, {
      method,
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
    const text = await response.text()
    if (!response.ok) {
      throw new Refused(`${method} ${path} ${JSON.stringify(json)}`, response.status, text)
    }
    return JSON.parse(text) as Body
  }

it.each([1, SEED])(
  'agrees with books kept in memory after any sequence of writes (seed %i)',
  async (seed) => {
    const me = await newUser()
    const books = await openBooks(sendAs(me), randomFrom(seed))
    for (let round = 0; round < rounds(3, 30); round++) {
      await keep(books, 40, 1)
      expect(await differencesIn(books)).toEqual([])
      expect(await differencesOf(me)).toEqual([])
      expect(await flawsOfLog(me)).toEqual([])
    }
  },
)
