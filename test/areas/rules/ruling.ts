import { createRule } from '../../../src/areas/money/rules/rules.routes.ts'
import { ok, type Principal } from '../../support/api.ts'

export const AMZN_RAW = { field: 'payeeRaw', op: 'contains', value: 'amzn' }

let serial = 0

/** Adds a rule that asks for "amzn" and changes the note, unless told otherwise. */
export const newRule = (as: Principal, more: object = {}) =>
  ok(createRule, {
    as,
    json: {
      name: `Rule ${++serial}`,
      condition: AMZN_RAW,
      changes: { note: 'checked' },
      ...more,
    },
  })
