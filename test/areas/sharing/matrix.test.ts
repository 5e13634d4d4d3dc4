import { expect, it } from 'vitest'
import { again } from '../../support/again.ts'
import { samplesOf } from '../../support/samples.ts'
import {
  answersIn,
  exMember,
  expected,
  expired,
  ownRows,
  pending,
  privateRows,
  type Receiving,
  stranger,
  withRight,
} from './matrix.ts'

// What is expected stands in docs/guides/access.md. An operation whose sample names something of an account, and
// which is not in that table, fails here by its name.

/** The samples, of which no operation has taken anything yet. */
const newWorld = again(samplesOf)

const manage = withRight('manage')
const writesOwn = withRight('write', 'own')
const owner: Receiving = ({ me }) => Promise.resolve(me)

const receivers: [string, string, Receiving][] = [
  ['who views', 'view', withRight('view')],
  ['who annotates', 'annotate', withRight('annotate')],
  ['who writes own rows, of those of others', 'others’', writesOwn],
  ['who writes own rows, of own ones', 'write', ownRows(writesOwn)],
  ['who writes', 'write', withRight('write')],
  ['who manages', 'manage', manage],
  ['the owner', 'owner', owner],
  ['who manages, of private rows', 'private', privateRows(manage)],
  ['who manages, of own private rows', 'manage', privateRows(ownRows(manage))],
]

it.each(receivers)(
  'every operation answers %s as docs/guides/access.md says',
  async (_, column, receiving) => {
    const world = await newWorld()
    expect(await answersIn(world, await receiving(world))).toEqual(expected(column))
  },
)

it('every operation answers who has no access, or none any more, as one that nobody knows', async () => {
  const world = await newWorld()
  for (const receiving of [exMember, expired, pending, stranger]) {
    expect(await answersIn(world, await receiving(world))).toEqual(expected('nobody'))
  }
})
