import { expect, it } from 'vitest'
import { areas } from '../../src/areas/index.ts'
import tags from '../../src/http/description/tags.json' with { type: 'json' }
import { allOperations } from '../../src/http/registry.ts'

it('names each operation once, and lists it under a tag that is described', () => {
  const ids = allOperations().map(({ operationId }) => operationId)
  expect(ids.length).toBeGreaterThan(280)
  expect(ids).not.toContain('')
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const described = tags.map(({ name }) => name)
  expect(
    allOperations().flatMap(({ area, operationId }) =>
      described.includes(area) ? [] : [`${operationId}: ${area}`],
    ),
    'Describe each of these tags in src/http/description/tags.json.',
  ).toEqual([])
  const untagged = areas.filter(({ operations, tag }) => operations && tag === undefined)
  expect(untagged).toEqual([])
})
