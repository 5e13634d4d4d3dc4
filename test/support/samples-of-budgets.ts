import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** The samples of the area `budgets`, for the owner of what `make` makes. */
export async function samplesOfBudgets(
  make: Make,
  accountId: string,
  [food, car, fuel]: readonly [string, string, string],
  groupId: string,
): Promise<Record<string, Sample>> {
  const months = { unit: 'month', count: 1, anchor: '2026-01-01' }
  const budget = (name: string, mode: string) =>
    make('/budget', { name, mode, currency: 'EUR', period: months, startsOn: '2026-01-01' })
  const [envelopes, limits] = [
    await budget('Envelopes', 'envelope'),
    await budget('Limits', 'limit'),
  ]
  const [doomed, shared, unshared] = [
    await budget('Doomed', 'limit'),
    await budget('Shared', 'limit'),
    await make('/budget', {
      ...{ name: 'Unshared', mode: 'limit', period: months, startsOn: '2026-01-01' },
      groupId,
    }),
  ]
  const line = (id: string, name: string, ids: string[], more = {}) =>
    make(`/budget/${id}/line`, { name, scope: { kind: 'category', ids }, ...more })
  const eating = await line(envelopes.id, 'Food', [food])
  const driving = await line(envelopes.id, 'Car', [car])
  const limit = await line(limits.id, 'Food', [food], { amount: '100', thresholds: [80] })
  const spare = await line(limits.id, 'Spare', [car])
  const moved = await make(`/budget/${envelopes.id}/period/2026-01-01/move`, {
    ...{ from: 'pool', to: eating.id, amount: '1', allowNegative: true },
  })
  const [usual, dropped] = [
    await make(`/budget/${envelopes.id}/template`, {
      ...{ name: 'Usual', items: [{ lineId: eating.id, amount: '4' }] },
    }),
    await make(`/budget/${envelopes.id}/template`, { name: 'Dropped', period: '2026-01-01' }),
  ]
  const ofTemplate = (templateId: string, more: Omit<Sample, 'path'> = {}): Sample => ({
    path: { id: envelopes.id, templateId },
    ...more,
  })
  const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })
  const inPeriod = (more: Omit<Sample, 'path'> = {}, id = envelopes.id): Sample => ({
    path: { id, period: '2026-01-01' },
    ...more,
  })
  const ofLine = (more: Omit<Sample, 'path'> = {}): Sample => ({
    path: { id: limits.id, lineId: limit.id },
    ...more,
  })
  return {
    listBudgets: { query: '?mode=envelope&archived=false' },
    createBudget: {
      json: {
        ...{ name: 'Another', mode: 'envelope', period: months, startsOn: '2026-01-01' },
        ...{ accounts: 'chosen', accountIds: [accountId], lines: 'top' },
      },
    },
    previewBudgetPeriods: { json: { period: months, startsOn: '2026-01-01', count: 3 } },
    getBudget: of(envelopes.id),
    updateBudget: of(limits.id, { json: { note: 'Ours', policy: 'both' } }),
    listBudgetLines: of(envelopes.id, { query: '?archived=false' }),
    createBudgetLine: of(envelopes.id, {
      json: { name: 'Fuel', scope: { kind: 'category', ids: [fuel] }, parentLineId: eating.id },
    }),
    suggestBudgetLines: of(limits.id),
    reorderBudgetLines: of(envelopes.id, { json: { lineIds: [driving.id, eating.id] } }),
    getBudgetLine: ofLine(),
    updateBudgetLine: ofLine({ json: { amount: '120', note: 'x' } }),
    getLineHistory: ofLine(),
    listLineTransactions: ofLine({ query: '?period=2026-01-01' }),
    listBudgetPeriods: of(envelopes.id),
    getBudgetPeriod: inPeriod(),
    updateBudgetPeriod: inPeriod({ json: { note: 'x', lineNotes: { [eating.id]: 'y' } } }),
    setAllocations: inPeriod({ json: { items: [{ lineId: eating.id, assigned: '1' }] } }),
    setAllocation: {
      path: { id: envelopes.id, period: '2026-01-01', lineId: eating.id },
      json: { assigned: '1' },
    },
    moveMoney: inPeriod({
      json: { from: 'pool', to: eating.id, amount: '2', note: 'x', allowNegative: true },
    }),
    listMovements: of(envelopes.id, { query: '?period=2026-01-01&kind=move' }),
    undoMovement: { path: { id: envelopes.id, movementId: moved.id } },
    deleteBudgetLine: { path: { id: limits.id, lineId: spare.id }, query: '?reassignTo=pool' },
    holdMoney: inPeriod({ json: { amount: '1', allowNegative: true } }),
    setLineTarget: {
      path: { id: envelopes.id, lineId: eating.id },
      json: { type: 'refill', amount: '3', priority: 2 },
    },
    snoozeLineTarget: {
      path: { id: envelopes.id, lineId: eating.id },
      json: { period: '2026-01-01' },
      after: 'setLineTarget',
    },
    deleteLineTarget: {
      path: { id: envelopes.id, lineId: eating.id },
      after: 'snoozeLineTarget',
    },
    assignMoney: inPeriod({ json: { method: 'underfunded', mode: 'add', keep: false } }),
    listBudgetTemplates: of(envelopes.id),
    createBudgetTemplate: of(envelopes.id, { json: { name: 'Another', period: '2026-01-01' } }),
    updateBudgetTemplate: ofTemplate(usual.id, { json: { name: 'Changed' } }),
    applyBudgetTemplate: ofTemplate(usual.id, { json: { period: '2026-02-01', mode: 'add' } }),
    deleteBudgetTemplate: ofTemplate(dropped.id),
    copyBudget: of(envelopes.id, { json: { name: 'Copied', amountsOf: '2026-01-01' } }),
    getBudgetForecast: inPeriod(),
    getBudgetByMember: inPeriod(),
    listBudgetAlerts: of(limits.id),
    getBudgetSummary: { query: '?on=2026-01-15' },
    getBudgetChart: of(envelopes.id, { query: '?period=2026-01-01&theme=dark' }),
    shareBudgetToGroup: of(shared.id, { json: { groupId } }),
    unshareBudgetFromGroup: of(unshared.id),
    closeBudgetPeriod: inPeriod({}, limits.id),
    reopenBudgetPeriod: inPeriod({ json: { reason: 'x' }, after: 'closeBudgetPeriod' }, limits.id),
    deleteBudget: of(doomed.id),
  }
}
