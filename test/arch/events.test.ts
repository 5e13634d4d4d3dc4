import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { work } from '../../src/areas/index.ts'
import { eventTypes } from '../../src/platform/events.ts'

const files = globSync(['src/{areas,ledger}/**/*.events.ts', 'src/platform/*events.ts'], {
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
