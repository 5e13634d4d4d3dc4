import { rules } from '../../../../drizzle/schema/rules.ts'
import { RULE_LIMITS } from '../../../domain/rules/rules.ts'
import { wholeNumber } from '../../../domain/stored-values.ts'
import { takenAs } from '../../../http/stored-fields.ts'
import { keptRow } from '../../../platform/owned-data/archived-rows.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { asOneChange } from '../../../ledger/ledger.public.ts'
import { trashedImage, trashedRow, trashedRowsOf } from '../../../ledger/labels/labels.public.ts'
import { CreateRuleRequest, presentRule, storedRuleDefinition } from './rules.contract.ts'
import { ruleEvents } from './rules.events.ts'
import { insertRule, type StoredRule } from './rules.queries.ts'
import { listRules } from './rules.usecases.ts'

const archivedRules: ArchivedTable = {
  table: rules,
  prefixes: ['rul'],
  owner: [rules.ownerId],
  order: [rules.position, rules.id],
  holds: { ...takenAs(CreateRuleRequest, ['name']), position: wholeNumber(0, 2 ** 40) },
  json: { definition: storedRuleDefinition },
  most: [{ rows: RULE_LIMITS.rules }, { rows: RULE_LIMITS.bytes, bytesOf: rules.definition }],
  around: (ownerId, _, statements) => asOneChange(ownerId, statements),
  merge: { same: [rules.nameKey] },
}

export const ruleData: OwnedData = {
  area: 'rules',
  tables: [rules],
  erase: [
    ownRows('rules', rules, { wipedWith: ['preferences'], around: asOneChange }),
    trashedRowsOf('rule', 'preferences'),
  ],
  archived: [archivedRules],
  exports: [listed('rules', (owner, page) => listRules(owner, {}, page), presentRule)],
  trash: {
    kinds: {
      rule: trashedRow<{ row: StoredRule }>('rule', {
        isImage: trashedImage(keptRow(archivedRules)),
        bringBack: (ctx, { row }, thing) => ({
          statements: insertRule({
            ...row,
            ownerId: ctx.caller.userId,
            version: row.version + 1,
            updatedAt: ctx.now,
          }),
          events: [ruleEvents.restored(thing, { after: row })],
        }),
        erased: (thing, { row }) => ruleEvents.erased(thing, { before: row }),
      }),
    },
  },
}
