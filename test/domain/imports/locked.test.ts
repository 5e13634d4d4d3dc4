import { expect, it } from 'vitest'
import { watchChains } from '../../../src/domain/imports/balances.ts'
import { compareOpen } from '../../../src/domain/imports/comparing.ts'
import { watchFirstDays } from '../../../src/domain/imports/continuing.ts'
import { runSteps } from '../../../src/domain/steps.ts'

/** What is said of two new rows, of which the first is on a locked day. */
const decisionsOf = (locked: number[]) =>
  runSteps(
    compareOpen(
      {
        ...{ rows: [], reusing: [0, 1], statedHalves: [], suspects: [], locked: new Set(locked) },
        ...{
          storedUnder: new Map(),
          corrected: new Map(),
          knownCorrections: [],
          decisionsOnKnown: new Map(),
        },
        firstDays: watchFirstDays(1),
        isLocked: () => false,
        hasIdentity: () => false,
        isInFile: () => false,
      },
      { candidates: [], halves: [], identities: [], accounts: [] },
      {
        ...{ hash: (texts) => [...texts], matching: 'never', coverage: [] },
        ...{ chains: watchChains(), trusts: () => false },
      },
    ),
  ).decisions.map(({ at, verdict }) => [at, verdict])

it('a new row on a locked day is locked, and no other', () => {
  expect(decisionsOf([0])).toEqual([
    [0, 'locked'],
    [1, 'new'],
  ])
})
