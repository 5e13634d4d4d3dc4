import { randomFrom } from '../support/random.ts'
import { openBooks } from './books.ts'
import { type Difference, differencesIn } from './comparison.ts'
import { sender, type Session } from './sending.ts'
import { keep } from './steps.ts'

const HOUSEHOLDS = 4
/** At each household's books at once. */
const HANDS = 4

export interface Proof {
  steps: number
  requests: number
  lines: number
  seconds: number
  differences: Difference[]
}

/** Keeps the books of some households over HTTP, all at once, and compares everything that they say. */
export async function prove(url: string, steps: number, seed: number): Promise<Proof> {
  const { sendAs, sent } = sender(url)
  const started = Date.now()
  const each = Math.ceil(steps / HOUSEHOLDS)
  const kept = await Promise.all(
    Array.from({ length: HOUSEHOLDS }, async (_, at) => {
      const signUp = sendAs({ accessToken: '' })<Session>
      const session = await signUp('POST', '/auth/register', {
        email: `household-${seed}-${at}@coffer.test`,
        password: 'only for this one proof',
        name: 'Household',
      })
      const books = await openBooks(sendAs(session), randomFrom(seed + at))
      await keep(books, each, HANDS)
      return { lines: books.model.lines.size, differences: await differencesIn(books) }
    }),
  )
  return {
    ...{ steps: each * HOUSEHOLDS, requests: sent() },
    lines: kept.reduce((sum, { lines }) => sum + lines, 0),
    seconds: (Date.now() - started) / 1000,
    differences: kept.flatMap(({ differences }) => differences),
  }
}
