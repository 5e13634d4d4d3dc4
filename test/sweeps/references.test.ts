import { beforeAll, expect, it } from 'vitest'
import { textOf } from '../support/described.ts'
import { ID, never } from '../support/foreign-ids.ts'
import { areas, isWhole, nameOf, operations } from '../support/operations.ts'
import { type Sample, sendSample } from '../support/samples.ts'
import { newSampledUser, type SampledUser } from '../support/sampled-user.ts'

// A reference that leads nowhere: in a path it is 404, which test/sweeps/foreign-ids.test.ts shows; in a body it is 400
// with the field that has it.

/** Where it is otherwise, with the reason. */
const OTHERWISE: Record<string, string> = {
  'POST /invite-code roleId': 'who may invite must not learn by it which roles there are',
  'POST /admin/audit-logs/export ownerId': 'it is a filter: of nobody there are no entries',
  'DELETE /admin/share resourceId': 'the body addresses the share, as a path would',
  'DELETE /admin/share userId': 'the body addresses the share, as a path would',
}

interface Reference {
  field: string
  id: string
}

/** Each id of a body, with the dotted path of its field. */
function referencesIn(value: unknown, path: string[] = []): Reference[] {
  if (typeof value === 'string') {
    return new RegExp(`^(?:${ID.source})$`).test(value)
      ? [{ field: path.join('.'), id: value }]
      : []
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => referencesIn(inner, [...path, key]))
    : []
}

/** A body with one of its ids replaced by one that nobody ever had. */
function withNobodys(json: object, { field }: Reference): object {
  const changed = structuredClone(json)
  const keys = field.split('.')
  const last = keys.pop() ?? ''
  const holder = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    changed,
  ) as Record<string, unknown>
  holder[last] = never(String(holder[last]))
  return changed
}

/** The field itself, or the list that it is in. */
const names = (said: unknown, field: string) =>
  said === field || said === field.replace(/\.\d+$/, '')

let sampled: SampledUser

beforeAll(async () => {
  sampled = await newSampledUser()
})

it.each(areas)('are refused as fields of bodies in %s', async (_, ofArea) => {
  const wrong: string[] = []
  for (const operation of ofArea) {
    const sample: Sample = sampled.sampleOf(operation)
    for (const reference of referencesIn(sample.json)) {
      const json = withNobodys(sample.json ?? {}, reference)
      const as = sampled.senderOf(operation)
      const response = await sendSample(as, operation, { ...sample, as, json })
      const text = await textOf(response)
      const { field } = JSON.parse(text || '{}') as { field?: string }
      const isRight = response.status === 400 && names(field, reference.field)
      const name = `${nameOf(operation)} ${reference.field}`
      if (!isRight && !(name in OTHERWISE)) {
        wrong.push(`${name}: ${response.status} ${text}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

it.runIf(isWhole)('stand in many bodies', () => {
  const fields = operations.flatMap((one) => referencesIn(sampled.sampleOf(one).json))
  expect(fields.length).toBeGreaterThan(30)
})
