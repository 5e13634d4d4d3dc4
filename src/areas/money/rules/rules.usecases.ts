import { checkAll } from '../../../domain/errors.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import {
  type Commit,
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import {
  type Named,
  putInTrash,
  requireKnownLabels,
  rowsOfOwner,
} from '../../../ledger/labels/labels.public.ts'
import { noteChangedRules } from '../../../ledger/ledger.public.ts'
import { accountsForBooking } from '../accounts/accounts.public.ts'
import { categoriesByIds } from '../categories/categories.public.ts'
import { payeesForBooking, requirePayees } from '../payees/payees.public.ts'
import { requireTags, tagsByIds } from '../tags/tags.public.ts'
import { transactionErrors } from '../transactions/transactions.public.ts'
import { ruleErrors } from './rules.errors.ts'
import { ruleEvents } from './rules.events.ts'
import {
  allRules,
  insertRule,
  isActive,
  mustFit,
  namedRules,
  orderRules,
  type RuleRow,
  ruleRows,
} from './rules.queries.ts'
import {
  definitionOf,
  type NamedInRule,
  namedInRule,
  requireDefinition,
  type RuleDefinition,
  type SentDefinition,
  storedDefinition,
} from './rules.rules.ts'

const resource = ownedResource({
  prefix: 'rul',
  rows: ruleRows,
  events: ruleEvents,
  notFound: ruleErrors.notFound,
})

export const listRules = (
  ctx: SignedIn,
  { active }: { active?: boolean | undefined },
  page: PageRequest,
) => resource.list(ctx, page, isActive(active))

export const getRule = resource.get

/** Rules work on all accounts. */
function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw ruleErrors.tokenIsRestricted()
  }
}

/** Commits a change of the caller's rules, which this process has to read again. */
async function changingRules<Result>(ctx: SignedIn, change: Commit<Result>): Promise<Result> {
  const result = await commit(ctx, change)
  noteChangedRules(ctx)
  return result
}

const conflicts = { 'rules.name_key': () => ruleErrors.nameTaken({ field: 'name' }) }

/** A rule as a request sends it. */
interface NewRule extends SentDefinition {
  name: string
  active: boolean
  before?: string | undefined
}

/** Adds a rule at the end, or in front of another one. */
export async function createRule(
  ctx: SignedIn,
  { name, active, before, ...sent }: NewRule,
): Promise<RuleRow> {
  const definition = requireDefinition(sent)
  const named = namedInRule(definition)
  const [ids, ...found] = await read(ctx, namedRules(ctx), ...finders(ctx, named))
  requireUnrestricted(ctx)
  const at = before === undefined ? ids.length : ids.findIndex(({ id }) => id === before)
  if (at < 0) {
    throw ruleErrors.unknownRule({ field: 'before' })
  }
  requireNamed(ctx, named, found)
  const rule = {
    id: freshId(ctx, 'rul'),
    ownerId: ctx.caller.userId,
    ...{ name, nameKey: foldKey(name), active, definition: storedDefinition(definition) },
    ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
  }
  const { id, version } = rule
  return changingRules(ctx, {
    changes: [
      {
        statements: insertRule(rule, before),
        events: [ruleEvents.created({ id, version }, { after: rule })],
      },
    ],
    result: { ...rule, position: at, order: at + 1, broken: NONE },
    conflicts,
  })
}

/** JSON of no ids. */
const NONE = '[]'

type RuleChange = {
  [Field in keyof Omit<NewRule, 'before'>]?: NewRule[Field] | undefined
}

/** Changes the fields that are sent. */
export async function updateRule(
  ctx: SignedIn,
  id: string,
  { name, active, ...sent }: RuleChange,
): Promise<RuleRow> {
  const stored = await getRule(ctx, id)
  requireUnrestricted(ctx)
  requireVersion(ctx, stored.version)
  const said = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  const merged: RuleDefinition = { ...definitionOf(stored), ...said }
  const isNew = sent.condition !== undefined || sent.changes !== undefined
  const definition = isNew ? requireDefinition(merged) : merged
  if (isNew) {
    // A label that was archived meanwhile may stay, as the rule can be changed all the same.
    const named = namedInRule(definition, '', JSON.parse(stored.broken) as string[])
    requireNamed(ctx, named, await read(ctx, ...finders(ctx, named)))
  }
  const { change } = resource.changeOf(ctx, stored, {
    ...(name === undefined ? {} : { name, nameKey: foldKey(name) }),
    active,
    definition: storedDefinition(definition),
  })
  const statements = [...change.statements, mustFit(stored.ownerId)]
  const changes = [{ ...change, statements }]
  const [after] = await commitAndRead(ctx, { changes, conflicts }, ruleRows.byId(ctx, id))
  noteChangedRules(ctx)
  return resource.existing(after)
}

/** Moves a rule to the trash. */
export async function deleteRule(ctx: SignedIn, id: string): Promise<void> {
  const rule = await getRule(ctx, id)
  requireUnrestricted(ctx)
  requireVersion(ctx, rule.version)
  const { statements, events } = resource.removal(rule)
  const kept = { row: ruleRows.stored(rule), lines: [], into: null }
  const trashed = putInTrash(ctx, { id, kind: 'rule', name: rule.name }, kept)
  const changes = [{ statements: [...statements, trashed], events }]
  await changingRules(ctx, { changes, result: undefined })
}

/** Puts all rules in the order in which they are named. */
export async function reorderRules(ctx: SignedIn, ruleIds: string[]) {
  const [rows] = await read(ctx, allRules(ctx))
  requireUnrestricted(ctx)
  const before = { ruleIds: rows.map(({ id }) => id) }
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ordered = ruleIds.flatMap((id) => byId.get(id) ?? [])
  if (ruleIds.length !== rows.length || new Set(ordered).size !== rows.length) {
    throw ruleErrors.notAll({ field: 'ruleIds' })
  }
  return changingRules(ctx, {
    changes: [
      {
        statements: orderRules(ctx, ruleIds),
        events: [ruleEvents.reordered({ id: null }, { before, after: { ruleIds } })],
      },
    ],
    result: {
      rows: ordered.map((row, at) => ({ ...row, order: at + 1 })),
      count: rows.length,
      nextCursor: null,
    },
  })
}

const idsIn = (named: Named[]) => [...new Set(named.map(({ id }) => id))]

/** The reads of labels and accounts that a rule names. */
export const finders = (ctx: SignedIn, { categories, payees, tags, accounts }: NamedInRule) =>
  [
    categoriesByIds(ctx, idsIn(categories)),
    payeesForBooking(ctx, idsIn(payees)),
    tagsByIds(ctx, idsIn(tags)),
    accountsForBooking(ctx, idsIn(accounts)),
  ] as const

interface Label {
  id: string
  ownerId: string
  archived: boolean
}

/** Refuses labels and accounts that the caller does not own, and archived labels. */
export function requireNamed(
  { caller }: SignedIn,
  named: NamedInRule,
  [categories, payees, tags, accounts]: [
    Label[],
    Label[],
    Label[],
    { id: string; ownerId: string }[],
  ],
): void {
  const { userId } = caller
  checkAll(
    () =>
      requireKnownLabels(named.categories, rowsOfOwner(userId, categories), [], {
        unknown: transactionErrors.unknownCategory,
        archived: transactionErrors.archivedCategory,
      }),
    () => requirePayees(named.payees, rowsOfOwner(userId, payees)),
    () => requireTags(named.tags, rowsOfOwner(userId, tags)),
    () => {
      const known = rowsOfOwner(userId, accounts).map((one) => ({ ...one, archived: false }))
      const { unknownAccount: unknown } = transactionErrors
      requireKnownLabels(named.accounts, known, [], { unknown, archived: unknown })
    },
  )
}
