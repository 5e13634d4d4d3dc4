import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn, Context } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import type { Decision } from '../../../../domain/imports/verdicts.ts'
import { pauseRegularly } from '../../../../platform/work/pauses.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readFile } from '../../../../platform/files/bucket.ts'
import { textLines } from '../../../../platform/files/text-lines.ts'
import { checkAll } from '../../../../domain/errors.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import { categoriesByIds } from '../../../money/categories/categories.public.ts'
import { payeesForBooking } from '../../../money/payees/payees.public.ts'
import { namedRules } from '../../../money/rules/rules.public.ts'
import { tagsByIds } from '../../../money/tags/tags.public.ts'
import { isStopped } from '../booking/making.rules.ts'
import { importErrors } from '../imports.errors.ts'
import { importById, type StoredChunk } from '../imports.queries.ts'
import { countsFrom } from '../imports.rules.ts'
import { slices } from '../booking/booking.rules.ts'
import {
  basisOfRows,
  type KnownRules,
  knownRules,
  NOT_RULED,
  type RuledRow,
  ruledRows,
  rulesAmong,
} from './ruled.usecases.ts'
import { type DecidedRow, settledRow, type ReadRow, type Overrides } from './pieces.rules.ts'
import {
  becameOf,
  chunksFrom,
  notesFrom,
  type RowFilter,
  seenAmong,
  insertNotes,
} from './rows.queries.ts'

/** A row with the import that it is of. */
export interface ShownRow extends DecidedRow {
  importId: string
  /** The transaction that it has become. */
  transactionId: string | null
  /** What rules make of it; null where that is not known. */
  ruled: RuledRow | null
}

/** Tells whether a row matches a filter. */
export function isAsked(
  { verdict, read: { row }, overrides }: DecidedRow,
  filter: RowFilter,
): boolean {
  const { source } = row
  const accountId = overrides.accountId ?? row.accountId
  const text = `${source.payeeRaw ?? ''} ${overrides.description ?? source.description ?? ''}`
  return (
    (filter.verdict === undefined || verdict === filter.verdict) &&
    (filter.accountId === undefined || accountId === filter.accountId) &&
    (filter.fromLine === undefined || source.line >= filter.fromLine) &&
    (filter.text === undefined || foldKey(text).includes(foldKey(filter.text)))
  )
}

/** Removes transactions of other accounts from rows, for a token that is restricted to some accounts. */
export async function withinToken(ctx: SignedIn, rows: ShownRow[]): Promise<ShownRow[]> {
  const ids = rows.flatMap(({ matchedId, transactionId, found }) => [
    ...[matchedId, transactionId, found.suggestedMatchId],
  ])
  const named = [...new Set(ids.flatMap((id) => id ?? []))]
  if (!ctx.caller.token?.accountIds || named.length === 0) {
    return rows
  }
  const [there] = await read(ctx, seenAmong(ctx, named))
  const seen = new Set(there.map(({ id }) => id))
  const seenOf = (one: string | null) => (one !== null && seen.has(one) ? one : null)
  return rows.map((row) => {
    const { suggestedMatchId, ...found } = row.found
    const isHinted = suggestedMatchId !== undefined && seen.has(suggestedMatchId)
    return {
      ...row,
      transactionId: seenOf(row.transactionId),
      matchedId: seenOf(row.matchedId),
      found: isHinted ? row.found : found,
    }
  })
}

/** The states in which rows may be booked. */
const BOOKED: ReadonlySet<string> = new Set(['committing', 'done', 'cancelled', 'reverting'])

/** Adds to the rows of an import what they have become. */
async function withBooked(ctx: SignedIn, rows: ShownRow[], known: KnownRules): Promise<ShownRow[]> {
  const keysOf = ({ read: { row, identity }, overrides }: ShownRow) =>
    [identity?.byId, identity?.byText].flatMap((key): [string, string][] =>
      key === undefined ? [] : [[overrides.accountId ?? row.accountId, key]],
    )
  const [first] = rows
  const [found] = await read(ctx, becameOf(first?.importId ?? '', rows.flatMap(keysOf)))
  const became = new Map(found.map((one) => [`${one.accountId} ${one.identity}`, one]))
  return rows.map((row) => {
    const [booked] = keysOf(row).flatMap((key) => became.get(key.join(' ')) ?? [])
    const ruleIds = JSON.parse(booked?.rules ?? '[]') as string[]
    return {
      ...row,
      transactionId: booked?.transactionId ?? null,
      ruled: { rules: rulesAmong(known, ruleIds), changes: [] },
    }
  })
}

/** A row of a piece that a cancelled commit did not come to is skipped. */
const stoppedRow = (
  decided: DecidedRow,
  { state }: { state: string },
  { counts }: { counts: string },
): DecidedRow =>
  isStopped(state, decided.verdict, countsFrom(counts))
    ? { ...decided, verdict: 'skipped', reason: 'cancelled', matchedId: null }
    : decided

/** A page of the rows of an import, which is of one piece of them, and ends early where rows are long. */
export async function listImportRows(
  ctx: SignedIn,
  id: string,
  { applyRules = true, ...filter }: RowFilter & { applyRules?: boolean | undefined },
  { after, limit }: PageRequest,
): Promise<Page<ShownRow>> {
  const afterRow = Number(after?.[0] ?? 0)
  const [[row], [chunk], notes, named, ...basis] = await read(
    ctx,
    importById(ctx, id),
    chunksFrom(id, afterRow, filter),
    notesFrom(id, afterRow, filter),
    namedRules(ctx),
    ...basisOfRows(ctx),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  const count = countsFrom(row.counts)[filter.verdict ?? 'rows']
  if (!chunk) {
    return { rows: [], count, next: null }
  }
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const found = (await readPiece(ctx, chunk))
    .filter((one) => one.row.at >= afterRow)
    .map((one) => ({
      ...stoppedRow(settledRow(one, byRow.get(one.row.at + 1)), row, chunk),
      ...{ importId: id, transactionId: null, ruled: NOT_RULED },
    }))
    .filter((one) => isAsked(one, filter))
  const sized = found
    .slice(0, limit + 1)
    .map((one) => ({ ...one, rowBytes: Buffer.byteLength(JSON.stringify(one.read.row.source)) }))
  const page = cutPage(sized, { limit }, ({ read: { row: last } }) => [String(last.at + 1)])
  const known = knownRules(ctx, named)
  let rows: ShownRow[] = page.rows
  if (BOOKED.has(row.state)) {
    rows = await withBooked(ctx, rows, known)
  } else if (row.state === 'previewed' && applyRules) {
    rows = await ruledRows(ctx, row, rows, basis, known)
  }
  const endOfPiece = chunk.firstRow + chunk.rows - 1
  return {
    rows: await withinToken(ctx, rows),
    count,
    next: page.next ?? (chunk.left > 1 ? [String(endOfPiece)] : null),
  }
}

const NOTES_AT_ONCE = 2000

/** Notes what was found about rows, of which there may be very many. */
export async function notesOn(importId: string, decisions: Decision[]): Promise<Statement[]> {
  const pause = pauseRegularly()
  const statements: Statement[] = []
  for (const some of slices(decisions, NOTES_AT_ONCE)) {
    const notes = some.map((found) => ({ row: found.at + 1, found: JSON.stringify(found) }))
    statements.push(...insertNotes(importId, notes))
    await pause()
  }
  return statements
}

/** The rows of a piece: one range of the object that has all of them. */
export async function readPiece(
  ctx: Context,
  { objectKey, offset, length }: StoredChunk,
): Promise<ReadRow[]> {
  const body = await readFile(ctx, objectKey, { offset, length })
  if (!body) {
    throw importErrors.fileGone()
  }
  const rows: ReadRow[] = []
  for await (const line of textLines(body)) {
    rows.push(JSON.parse(line) as ReadRow)
  }
  return rows
}

// Categories, payees and tags that the user gives to rows: what would not fit would stop the whole import when it is booked.

type Labels = Pick<Overrides, 'categoryId' | 'payeeId' | 'tagIds'>

interface Label {
  id: string
  ownerId: string
  archived: boolean
  kind?: string
}

/** Finders of what a decision names. */
export const labelsOfDecision = (ctx: SignedIn, { categoryId, payeeId, tagIds = [] }: Labels) =>
  [
    categoriesByIds(ctx, categoryId ? [categoryId] : []),
    payeesForBooking(ctx, payeeId ? [payeeId] : []),
    tagsByIds(ctx, tagIds),
  ] as const

interface Deciding {
  before: DecidedRow
  after: DecidedRow
}

/**
 * Requires every named label to exist, not archived, with the owner of each row's account. Outgoing money cannot have
 * a category of incomes.
 */
export function requireRowLabels(
  chosen: Labels,
  found: Label[][],
  rows: Deciding[],
  views: AccountView[],
): void {
  const labels = found.flat()
  requireKnown(chosen, labels)
  const owners = new Map(views.map(({ account }) => [account.id, account.ownerId]))
  const ownerOf = ({ overrides, read: { row } }: DecidedRow) =>
    owners.get(overrides.accountId ?? row.accountId)
  const [category] = found[0] ?? []
  for (const { before, after } of rows) {
    const { line } = after.read.row.source
    const ownerId = ownerOf(after)
    const isOfOther = labels.some((label) => ownerId !== undefined && label.ownerId !== ownerId)
    const isMoved = ownerId !== ownerOf(before) && hasLabels(after.overrides, chosen)
    if (isOfOther || isMoved) {
      throw importErrors.labelOfOther({ line }, { field: fieldOf(chosen) })
    }
    if (category?.kind === 'income' && leaves(after)) {
      throw importErrors.categoryKind({ line }, { field: 'categoryId' })
    }
  }
}

function requireKnown({ categoryId, payeeId, tagIds = [] }: Labels, found: Label[]): void {
  const known = new Set(found.flatMap(({ id, archived }) => (archived ? [] : [id])))
  const missing = (id: string | null | undefined) => typeof id === 'string' && !known.has(id)
  const refuse = (isMissing: boolean, label: string, field: string) => () => {
    if (isMissing) {
      throw importErrors.unknownLabel({ what: label }, { field })
    }
  }
  checkAll(
    refuse(missing(categoryId), 'category', 'categoryId'),
    refuse(missing(payeeId), 'payee', 'payeeId'),
    refuse(tagIds.some(missing), 'tag', 'tagIds'),
  )
}

const LABELS = ['categoryId', 'payeeId', 'tagIds'] as const

const fieldOf = (chosen: Labels) => LABELS.find((one) => chosen[one] !== undefined) ?? 'accountId'

/** Tells whether a row has labels from before. */
const hasLabels = (overrides: Labels, chosen: Labels): boolean =>
  LABELS.some((one) => chosen[one] === undefined && overrides[one] !== undefined)

const leaves = ({ overrides: { amount }, read: { row } }: DecidedRow): boolean =>
  amount === undefined ? (row.minor ?? 0) < 0 : amount.startsWith('-')
