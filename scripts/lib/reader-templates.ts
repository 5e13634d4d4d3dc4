/** Every spelling of an area's name. */
export interface AreaNames {
  /** `planning` */
  district: string
  /** `savings-goals` */
  area: string
  /** `savingsGoals` */
  camel: string
  /** `SavingsGoals` */
  pascal: string
  /** `savingsGoal` */
  camelOne: string
  /** `SavingsGoal` */
  pascalOne: string
  /** `savings_goals` */
  table: string
  /** `Savings goals` */
  title: string
  /** `savings goal` */
  one: string
  /** `savings goals` */
  many: string
  /** `/savings-goal` */
  path: string
  /** `sav` */
  prefix: string
  operations: { list: string; create: string; get: string; update: string; delete: string }
  /** True if the area reacts to commits of others. */
  reads: boolean
}

// The reader of a new area, and what its other files have because of it.

export const READER_TYPES = `import type { LoggedEvent } from '../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../platform/work/readers.ts'
`

/** The initial work of the reader, until it is replaced by real work. */
export const firstOnes = (n: AreaNames) => `
/** Gives everybody who confirms their address a first ${n.one}, unless they were faster or are gone by now. */
export async function give${n.pascal}(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const userIds = events.flatMap(({ resourceId }) => resourceId ?? [])
  const [found] = await read(ctx, usersWithout${n.pascal}(userIds))
  const named = columnsOf('My first ${n.one}')
  return { changes: found.map(({ id }) => resource.creation(resource.newRow(ctx, id, named))) }
}
`

export const readers = (
  n: AreaNames,
) => `import type { Reader } from '../../../platform/work/readers.ts'
import { give${n.pascal} } from './${n.area}.usecases.ts'

export const first${n.pascalOne}Reader: Reader = {
  name: '${n.camel}.first',
  types: ['email.verified'],
  react: give${n.pascal},
}
`

export const usersWithout = (n: AreaNames) => `
/** Finds the users among these who exist and have no ${n.one} yet. */
export const usersWithout${n.pascal} = (userIds: readonly string[]) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        inArray(users.id, userIds),
        notExists(db.select({ one: sql\`1\` }).from(${n.camel}).where(eq(${n.camel}.ownerId, users.id))),
      ),
    )
`

export const READERS_TEST_IMPORTS = `import { emailEvents, ofUser } from '../../../src/areas/identity/auth/auth.events.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
`

export const readersTest = (n: AreaNames) => `
it('gives everybody who confirms their address a first one, once', async () => {
  const readOn = () => runReaders([first${n.pascalOne}Reader], (name) => contextWith({ operation: name }))
  await readOn()
  const me = await newUser()
  const events = [emailEvents.verified(ofUser(me.id))]
  await commit(contextWith(), { changes: [{ statements: [], events }], result: undefined })
  await readOn()
  await readOn()
  const { ${n.camel} } = await ok(${n.operations.list}, { as: me })
  expect(${n.camel}.map(({ name }) => name)).toEqual(['My first ${n.one}'])
})
`
