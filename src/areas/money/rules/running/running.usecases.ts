import { dateInZone } from '../../../../domain/calendar.ts'
import type { AppError } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { sizeOf } from '../../../../domain/metadata.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import {
  cutPage,
  PAGE_BYTES,
  type PageRequest,
  type Position,
} from '../../../../platform/database/paging.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import {
  type Amendment,
  entriesOf,
  type LedgerRow,
  ledgerRowsByIds,
} from '../../../../ledger/ledger.public.ts'
import {
  filterFrom,
  longPage,
  positionOf,
  readsNames,
  type SentFilter,
} from '../../../../ledger/search/search.public.ts'
import { owns } from '../../../identity/access/access.public.ts'
import {
  categoriesInRequest,
  changeTransactions,
  labelsInRequest,
  MOST_BULK_LINES,
  MOST_TRANSACTIONS,
  type BulkOutcome,
  type TransactionChanges,
} from '../../transactions/transactions.public.ts'
import { converting } from '../../transfers/transfers.public.ts'
import { accountFrom, factsOfRules, transferAccountsFor } from '../applying/sets.queries.ts'
import { compiledRule, factsFrom } from '../applying/sets.rules.ts'
import { ruleErrors } from '../rules.errors.ts'
import { allRules, type RuleRow } from '../rules.queries.ts'
import {
  isWorking,
  namedInRule,
  requireDefinition,
  type RuleDefinition,
  type SentDefinition,
  withDefinition,
} from '../rules.rules.ts'
import { finders, requireNamed } from '../rules.usecases.ts'
import {
  changesOfBothSides,
  decideRow,
  isRunOn,
  type RowDecision,
  type RunRules,
} from './running.rules.ts'

/** How many transactions one request looks at. */
export const MOST_LOOKED_AT = 2000

interface RunInput {
  ruleIds?: string[] | undefined
  rule?: SentDefinition | undefined
  ids?: string[] | undefined
  filter?: SentFilter | undefined
  overwrite?: boolean | undefined
  withReviewed: boolean
  force?: boolean | undefined
  dryRun: boolean
  expectedVersions?: Record<string, number> | undefined
}

/** What a run did with a transaction that a rule matched. */
export interface RunOutcome extends Pick<RowDecision, 'changes' | 'failed'> {
  id: string
  version: number
  result: 'changed' | 'unchanged' | AppError
}

export interface RuleRun {
  outcomes: RunOutcome[]
  looked: number
  dryRun: boolean
  /** The last transaction that was looked at; null if there are no more. */
  next: Position | null
}

/** A transaction that a rule matched. */
interface Matched {
  row: LedgerRow
  id: string
  decision: RowDecision
}

/** Runs rules on past transactions: on the newest after a position, and changes some of them in one commit. */
export async function runRules(
  ctx: SignedIn,
  input: RunInput,
  page: PageRequest,
): Promise<RuleRun> {
  const { ids, dryRun, force, expectedVersions = {} } = input
  if (input.rule && !dryRun) {
    throw ruleErrors.saveFirst({ field: 'rule' })
  }
  const unsaved = input.rule && requireDefinition(input.rule, 'rule.')
  const filter = await filterFrom(ctx, input.filter ?? {}, 'filter')
  const named = namedInRule(unsaved ?? { changes: {} }, 'rule.')
  const [first, ...further] = ids
    ? [ledgerRowsByIds(ctx, ids, MOST_BULK_LINES)]
    : longPage(ctx, filter, page)
  const [stored, facts, accounts, firstRows, ...labels] = await read(
    ctx,
    allRules(ctx),
    factsOfRules(ctx),
    transferAccountsFor(ctx, unsaved?.changes.transferAccountId),
    first ?? nothing<LedgerRow>(),
    ...finders(ctx, named),
  )
  requireNamed(ctx, named, labels)
  let rows = firstRows
  for (const finder of further) {
    if (rows.length <= page.limit) {
      ;[rows] = await read(ctx, finder)
    }
  }
  const chosen = unsaved
    ? [{ id: UNSAVED, definition: unsaved }]
    : rulesToRun(stored, input.ruleIds).map(withDefinition)
  const today = dateInZone(ctx.now, profileOf(ctx).timeZone)
  const rules: RunRules = {
    rules: chosen.map((one) => compiledRule(one, today)),
    // An unsaved text would show names to whoever may only change transactions.
    facts: factsFrom(facts[0], { hasNames: !unsaved || readsNames(ctx, 'payee') }),
    accounts: new Map(accounts.map(accountFrom).map((account) => [account.id, account])),
    overwrite: input.overwrite,
  }
  // Long texts end a page early.
  const { rows: found, next } = ids ? afterId(rows, page) : cutPage(rows, page, positionOf)
  const { matched, count: looked, ofOther } = lookAt(ctx, found, input.withReviewed, rules)
  const last = found[looked - 1]
  const isOther = (row: LedgerRow) => (expectedVersions[idOf(row)] ?? row.version) !== row.version
  // What was changed meanwhile counts also where no rule changes it any more.
  if (!dryRun && found.slice(0, looked).some(isOther)) {
    throw conflicting({ field: ids ? 'ids' : 'filter' })
  }
  const edits = {
    named: namedTogether(chosen),
    namedIn: (changes: TransactionChanges, row: LedgerRow) => {
      const kept = new Set(labelsAt(labelsOf(row), WHOLE).tagIds)
      const { payees, tags } = labelsInRequest(changes)
      const added = tags.filter(({ id }) => !kept.has(id))
      return { categories: categoriesInRequest(changes), payees, tags: added }
    },
    of: (row: LedgerRow) => {
      if (isOther(row)) {
        throw conflicting()
      }
      return decideRow(row, rules, ofOther.get(idOf(row))).edit
    },
    transferOf: (amendment: Amendment) => {
      const { transferAccount } = decideRow(amendment.row, rules)
      return transferAccount && converting(ctx, amendment, transferAccount, force)
    },
  }
  const runOf = (outcomes: BulkOutcome<'changed' | 'unchanged'>[]): RuleRun => {
    const results = new Map(outcomes.map(({ id, result }) => [id, result]))
    return {
      ...{ looked, dryRun },
      next: last && looked < found.length ? (ids ? [idOf(last)] : positionOf(last)) : next,
      outcomes: matched.map(({ row, id, decision: { changes, failed } }) => {
        const result = results.get(id) ?? 'unchanged'
        return { id, version: row.version, changes, failed, result }
      }),
    }
  }
  const changing = matched.filter(({ decision }) => decision.changes.length > 0)
  return changing.length === 0
    ? runOf([])
    : changeTransactions(
        ctx,
        { ids: changing.map(({ id }) => id) },
        edits,
        { force, dryRun, asked: { ids } },
        runOf,
      )
}

/** Stands for a rule that has no id. */
const UNSAVED = ''

/** The rows behind the one at which the previous request ended. */
const afterId = (rows: LedgerRow[], { after: [id] = [] }: PageRequest) => ({
  rows: rows.slice(rows.findIndex((row) => idOf(row) === id) + 1),
  next: null,
})

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)

/** The rules that are named, or all active ones; a broken one does not work. */
function rulesToRun(stored: RuleRow[], ruleIds: string[] | undefined): RuleRow[] {
  const known = new Set(stored.map(({ id }) => id))
  const unknown = ruleIds?.findIndex((id) => !known.has(id)) ?? -1
  if (unknown >= 0) {
    throw ruleErrors.unknownRule({ field: `ruleIds.${unknown}` })
  }
  const wanted = ruleIds && new Set(ruleIds)
  return stored.filter((rule) => isWorking(rule) && (wanted ? wanted.has(rule.id) : rule.active))
}

/** The fields that one side of a transfer changes on the other, by the id of a side or of the whole. */
type ChangedByOther = Map<string, ReturnType<typeof changesOfBothSides>>

/** The bytes of an outcome in an answer, beside its changes and failures. */
const BYTES_OF_OUTCOME = 300

const bytesOf = ({ changes, failed }: RowDecision): number =>
  BYTES_OF_OUTCOME + sizeOf(JSON.stringify([changes, failed]))

/** Decides on one row after the other, until one commit can change no more, or an answer holds no more outcomes. */
function lookAt(
  ctx: SignedIn,
  rows: LedgerRow[],
  withReviewed: boolean,
  rules: RunRules,
): { matched: Matched[]; count: number; ofOther: ChangedByOther } {
  const matched: Matched[] = []
  const ofOther: ChangedByOther = new Map()
  const ofTransfers: ChangedByOther = new Map()
  let [changing, lines, bytes] = [0, 0, 0]
  for (const [at, row] of rows.entries()) {
    if (!owns(ctx.caller, row) || !isRunOn(row) || (row.reviewed === 1 && !withReviewed)) {
      continue
    }
    const id = idOf(row)
    const changed = ofTransfers.get(row.transactionId)
    const decision = decideRow(row, rules, changed)
    if (row.kind === 'transfer') {
      ofOther.set(id, changed ?? {})
      ofTransfers.set(row.transactionId, changesOfBothSides(decision))
    }
    if (!decision.isMatched) {
      continue
    }
    if (decision.changes.length > 0) {
      changing += 1
      lines += Math.max(entriesOf(row).length, 1 + (decision.edit.splits?.length ?? 0))
    }
    bytes += bytesOf(decision)
    const isFull = changing > MOST_TRANSACTIONS || lines > MOST_BULK_LINES || bytes > PAGE_BYTES
    if (isFull && matched.length > 0) {
      return { matched, count: at, ofOther }
    }
    matched.push({ row, id, decision })
  }
  return { matched, count: rows.length, ofOther }
}

/** The labels that rules give to transactions. */
function namedTogether(rules: { definition: RuleDefinition }[]) {
  const all = rules.map(({ definition }) => namedInRule({ changes: definition.changes }))
  return {
    categories: all.flatMap(({ categories }) => categories),
    payees: all.flatMap(({ payees }) => payees),
    tags: all.flatMap(({ tags }) => tags),
  }
}
