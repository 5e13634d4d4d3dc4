import type { Condition } from '../../../domain/conditions/conditions.ts'
import { type NameKind, readLine } from '../../../domain/conditions/line.ts'
import { joinPath } from '../../../domain/csv/writing.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { nothing, type Statement } from '../../../platform/database/statements.ts'
import type { LedgerRow } from '../../../ledger/ledger.public.ts'
import {
  type AliasRow,
  conditionOfLine,
  filterFrom,
  type LedgerFilter,
  ledgerRows,
  type NameRow,
  visibleAliases,
  visibleNames,
} from '../../../ledger/search/search.public.ts'
import { type NamedFile, visibleFileNames } from '../../files/attachments/attachments.public.ts'
import { type NamedItem, visibleItemNames } from '../../planning/recurring/recurring.public.ts'
import {
  type NamedThing,
  type NameHit,
  namesFound,
  SEARCH_KINDS,
  SEARCH_PERMISSIONS,
  type SearchKind,
  wordsIn,
} from './search.rules.ts'

/** Converts a line of text into a condition. */
export async function parseSearch(
  ctx: SignedIn,
  { q, isRule }: { q: string; isRule: boolean },
): Promise<Condition> {
  const condition = await conditionOfLine(ctx, q, { isRule })
  // A line without names has not made the round trip that checks the session.
  if (!ctx.caller.profile) {
    await read(ctx)
  }
  return condition
}

interface SearchInput {
  q: string
  kinds?: SearchKind[] | undefined
  /** The most hits of each kind. */
  limit: number
}

/** The hits of one kind. */
export type SearchGroup =
  | { kind: Exclude<SearchKind, 'transaction'>; hits: NameHit[]; more: boolean }
  | { kind: 'transaction'; rows: LedgerRow[]; more: boolean }

export interface Searched {
  groups: SearchGroup[]
  /** The kinds that the caller has no permission to read. */
  omitted: SearchKind[]
}

/** Finds things of all kinds by words, and transactions by a whole line of text. */
export async function searchAll(
  ctx: SignedIn,
  { q, kinds = SEARCH_KINDS, limit }: SearchInput,
): Promise<Searched> {
  const words = wordsIn(readLine(q, { userId: ctx.caller.userId }))
  const asked = SEARCH_KINDS.filter(
    (kind) => kinds.includes(kind) && (words !== undefined || kind === 'transaction'),
  )
  const { rows, things } = await findAsked(ctx, {
    ...{ asked, limit, words: words?.words ?? [] },
    filter: await filterFrom(ctx, { q }),
  })
  const { permissions } = profileOf(ctx)
  const isOmitted = (kind: SearchKind) => !permissions.includes(SEARCH_PERMISSIONS[kind])
  const groupOf = (kind: SearchKind): SearchGroup => {
    if (kind === 'transaction') {
      return { kind, rows: rows.slice(0, limit), more: rows.length > limit }
    }
    const found = words ? namesFound(things[kind], words) : []
    return { kind, hits: found.slice(0, limit), more: found.length > limit }
  }
  return {
    groups: asked.filter((kind) => !isOmitted(kind)).map(groupOf),
    omitted: asked.filter(isOmitted),
  }
}

interface Asked {
  asked: SearchKind[]
  filter: LedgerFilter
  words: string[]
  limit: number
}

/** Reads what may be found, in one round trip. */
async function findAsked(ctx: SignedIn, { asked, filter, words, limit }: Asked) {
  const ifAsked = <Row>(kind: SearchKind, find: () => Statement<Row[]>) =>
    asked.includes(kind) ? find() : nothing<Row>()
  const names = (kind: NameKind) => ifAsked(kind, () => visibleNames(ctx, kind, words))
  const [rows, accounts, payees, aliases, categories, tags, items, files] = await read(
    ctx,
    ifAsked('transaction', () => ledgerRows(ctx, filter, { limit, after: undefined })),
    names('account'),
    names('payee'),
    ifAsked('payee', () => visibleAliases(ctx, words)),
    names('category'),
    names('tag'),
    ifAsked('recurring', () => visibleItemNames(ctx)),
    ifAsked('attachment', () => visibleFileNames(ctx)),
  )
  const things: Record<Exclude<SearchKind, 'transaction'>, NamedThing[]> = {
    account: accounts.map((row) => ({ ...thingOf(row), detail: row.currency })),
    payee: withAliases(payees, aliases),
    category: withPaths(categories),
    tag: tags.map(thingOf),
    recurring: items.map(itemFound),
    attachment: files.map(fileFound),
  }
  return { rows, things }
}

const thingOf = ({ id, name, archived }: NameRow): NamedThing => ({
  ...{ id, name, detail: null },
  archived: archived === 1,
})

function withAliases(payees: NameRow[], aliases: AliasRow[]): NamedThing[] {
  const byPayee = Map.groupBy(aliases, ({ payeeId }) => payeeId)
  return payees.map((row) => ({
    ...thingOf(row),
    aliases: byPayee.get(row.id)?.map(({ raw }) => raw) ?? [],
  }))
}

function withPaths(categories: NameRow[]): NamedThing[] {
  const byId = new Map(categories.map((row) => [row.id, row]))
  const above = ({ parentId }: NameRow): string[] => {
    const parent = parentId === null ? undefined : byId.get(parentId)
    return parent ? [...above(parent), parent.name] : []
  }
  return categories.map((row) => {
    const names = above(row)
    return {
      ...thingOf(row),
      path: [...names, row.name],
      detail: names.length === 0 ? null : joinPath(names),
    }
  })
}

const itemFound = ({ id, name, active, currency }: NamedItem): NamedThing => ({
  ...{ id, name, detail: currency, archived: !active },
})

/** A file is known by its title, or else by its name. */
const fileFound = ({ id, fileName, title }: NamedFile): NamedThing => ({
  ...{ id, archived: false, name: title ?? fileName },
  detail: title === null ? null : fileName,
  aliases: [fileName],
})
