import { randomFrom } from '../../support/random.ts'
import type { Send } from '../books.ts'
import type { Difference } from '../comparison.ts'
import { closeAndReopen } from './reopening.ts'
import { differencesOf } from './comparison.ts'
import { openHousehold } from './household.ts'
import { sender, type Session } from '../sending.ts'
import { anyStep } from './steps.ts'

export interface Proof {
  requests: number
  seconds: number
  /** How often each kind of step was taken. */
  taken: Map<string, number>
  /** Those that were found first: the walk ends there. */
  differences: Difference[]
}

interface Wanted {
  steps: number
  seed: number
  /** What else goes on: it may change no figure. */
  beforeStep?: () => Promise<void>
}

/** After so many steps all periods are compared; after each one of every budget. */
const ALL_AFTER = 25
/** Steps of one household. */
const LENGTH = 250

/** Walks through bookings and budgets of households over HTTP, and compares every figure with books in memory. */
export async function prove(
  url: string,
  { steps, seed, beforeStep = () => Promise.resolve() }: Wanted,
): Promise<Proof> {
  const { sendAs, sent } = sender(url)
  const signUp = async (name: string, baseCurrency: string): Promise<Send> => {
    const session = await sendAs({ accessToken: '' })<Session>('POST', '/auth/register', {
      email: `${name}-${crypto.randomUUID()}@coffer.test`,
      password: 'only for this one proof',
      ...{ name, baseCurrency },
    })
    return sendAs(session)
  }
  const started = Date.now()
  const taken = new Map<string, number>()
  const differences: Difference[] = []
  for (let done = 0, at = 0; done < steps && differences.length === 0; at += 1) {
    const [ada, ben] = [await signUp('Ada', 'JPY'), await signUp('Ben', 'EUR')]
    const join = async (groupId: string) => {
      const json = { role: 'member' }
      const { code } = await ada<{ code: string }>('POST', `/group/${groupId}/invite`, json)
      await ben('POST', '/group/invite/accept', { code })
    }
    const walk = await openHousehold([ada, ben], join, randomFrom(seed + at))
    const end = Math.min(steps, done + LENGTH)
    for (; done < end && differences.length === 0; done += 1) {
      await beforeStep()
      const name = await anyStep(walk)
      taken.set(name, (taken.get(name) ?? 0) + 1)
      const isAll = done % ALL_AFTER === 0 || done === end - 1
      const found = await differencesOf(walk, isAll)
      differences.push(...found.map((one) => ({ ...one, of: `step ${done}, ${name}: ${one.of}` })))
    }
    differences.push(...(await closeAndReopen(walk)))
  }
  return { requests: sent(), seconds: (Date.now() - started) / 1000, taken, differences }
}
