import type { Answer } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'

export const LAST_YEAR = '2025-12-20'

export interface Books {
  me: TestUser
  one: { id: string }
  two: { id: string }
}

export async function newBooks(): Promise<Books> {
  const me = await newUser()
  return { me, one: await newAccount(me), two: await newAccount(me) }
}

type Act = () => Promise<Answer<unknown>>

/** A way: makes what it needs, and gives what is to be done with that. */
export type Way = (books: Books) => Promise<Act>

export const old = { date: LAST_YEAR }

export const transferOf = ({ one, two }: Books, date = LAST_YEAR) => ({
  ...{ fromAccountId: one.id, toAccountId: two.id, date, amount: '100' },
})
