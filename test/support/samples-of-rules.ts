import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of rules, which match nothing that the samples record. */
export async function samplesOfRules(make: Make): Promise<Record<string, Sample>> {
  const condition = { field: 'payeeRaw', op: 'contains', value: 'amzn' }
  const rule = { condition, changes: { note: '{note} checked' } }
  const one = await make('/rule', { ...rule, name: 'One' })
  const two = await make('/rule', { ...rule, name: 'Two' })
  const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })
  return {
    listRules: { query: '?active=true' },
    reorderRules: { json: { ruleIds: [two.id, one.id] } },
    createRule: { json: { ...rule, name: 'Third', before: one.id } },
    runRules: { json: { filter: { from: '2026-01-01' } } },
    suggestRules: {},
    getRule: of(one.id),
    updateRule: of(one.id, { json: { active: false } }),
    deleteRule: of(two.id),
  }
}
