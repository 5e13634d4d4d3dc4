import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { areas, work } from '../../src/areas/index.ts'
import { INVERSES } from '../../src/ledger/ledger.events.ts'
import { eventTypes } from '../../src/platform/log/events.ts'

const files = globSync(['src/{areas,ledger}/**/*.events.ts', 'src/platform/log/*events.ts'], {
  cwd: inProject(),
})
await Promise.all(files.map((file) => import(inProject(file))))

it('names every type of event as a resource with what was done to it', () => {
  expect(files.length).toBeGreaterThan(30)
  const types = [...eventTypes()]
  expect(types.length).toBeGreaterThan(150)
  expect(types.filter((type) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(type))).toEqual([])
})

it('hands readers events that somebody makes', () => {
  const wanted = (work.readers ?? []).flatMap(({ types }) => types)
  expect(wanted.length).toBeGreaterThan(0)
  expect(wanted.filter((type) => !eventTypes().has(type))).toEqual([])
})

it('says of every event of money how it is taken back', () => {
  const ofMoney = [...eventTypes()].filter((type) => /^(transaction|transfer|ledger)\./.test(type))
  // Decisions about pairs and links move no money: who sets one takes it away.
  const ofAreas = new Set([
    ...[
      'transaction.pairDismissed',
      'transaction.linked',
      'transaction.unlinked',
      'transaction.large',
    ],
  ])
  expect(Object.keys(INVERSES).toSorted()).toEqual(
    ofMoney.filter((type) => !ofAreas.has(type)).toSorted(),
  )
  const ids = new Set(
    areas.flatMap(({ operations = [] }) => operations.flatMap((module) => Object.keys(module))),
  )
  for (const inverse of Object.values(INVERSES)) {
    expect(
      'none' in inverse ||
        ('event' in inverse ? eventTypes().has(inverse.event) : ids.has(inverse.operation)),
    ).toBe(true)
  }
})
