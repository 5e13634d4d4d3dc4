import { addDays, nearDay } from '../../../../domain/calendar.ts'
import type {
  LookupResults,
  StoredMatches,
  Piece,
  Lookups,
} from '../../../../domain/imports/passes.ts'
import type {
  StoredHalf,
  StoredIdentity,
  StoredRow,
  StoredState,
} from '../../../../domain/imports/verdicts.ts'
import type { StoredEnd } from '../../../../domain/imports/continuing.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { countOfDecided } from '../rows/rows.queries.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import { type Meaning, resolutionsOf } from '../../../money/payees/payees.public.ts'
import {
  type StoredCandidate,
  candidatesIn,
  closingsOf,
  halvesIn,
  type HalfRow,
  identitiesLike,
} from '../candidates.queries.ts'
import {
  identitiesByBankKeys,
  knownIdentities,
  type KnownIdentity,
  linesWithOwnIds,
  type TakenId,
  takenExternalIds,
} from '../identities.queries.ts'

type Fate = Pick<KnownIdentity, 'skipped' | 'transactionId' | 'isInTrash'>

function stateOf({ skipped, transactionId, isInTrash }: Fate): StoredState {
  if (skipped === 1) {
    return 'skipped'
  }
  if (transactionId === null) {
    return 'erased'
  }
  return isInTrash === 1 ? 'inTrash' : 'kept'
}

const identityFrom = (
  row: Fate &
    Pick<
      KnownIdentity,
      'accountId' | 'bankKey' | 'date' | 'amountMinor' | 'balanceMinor' | 'pending'
    > & { identity: string; importId: string | null },
): StoredIdentity => ({
  accountId: row.accountId,
  identity: row.identity,
  date: row.date,
  minor: row.amountMinor,
  pending: row.pending === 1,
  state: stateOf(row),
  ...(row.bankKey === null ? {} : { bankKey: row.bankKey }),
  ...(row.balanceMinor === null ? {} : { balanceMinor: row.balanceMinor }),
  ...(row.transactionId === null ? {} : { transactionId: row.transactionId }),
  ...(row.importId === null ? {} : { importId: row.importId }),
})

const externalFrom = ({ isInTrash, isItself, amountMinor, ...taken }: TakenId) => ({
  ...taken,
  minor: amountMinor,
  isItself: isItself === 1,
  state: isInTrash === 1 ? ('inTrash' as const) : ('kept' as const),
})

/** Longer texts name no payee, and a parameter has no room for many of them. */
const MOST_TEXT = 200

/** The bank's texts of the rows of a piece, as they may mean payees. */
const textsOf = ({ rows }: Piece) =>
  rows.flatMap(({ accountId, ignored, source: { payeeRaw = '' } }) =>
    ignored !== undefined || payeeRaw === '' || payeeRaw.length > MOST_TEXT
      ? []
      : [{ accountId, key: foldKey(payeeRaw) }],
  )

const nameOf = ({ accountId, key }: { accountId: string; key: string }) => `${accountId} ${key}`

/** Says of rows who their payees are. */
function resolvePayees({ rows }: Piece, meant: Meaning[]): void {
  const payees = new Map(meant.map((one) => [nameOf(one), one.payeeId]))
  for (const row of meant.length === 0 ? [] : rows) {
    const key = foldKey(row.source.payeeRaw ?? '')
    const payeeId = payees.get(nameOf({ accountId: row.accountId, key }))
    if (payeeId) {
      row.payeeId = payeeId
    }
  }
}

const looksOf = (ctx: SignedIn, piece: Piece, hasPayees: boolean) => {
  const { lookUp: asked } = piece
  const texts = hasPayees ? textsOf(piece) : []
  const externalIds = asked.externalIds.map(({ accountId, externalId }): [string, string] => [
    ...([accountId, externalId] as const),
  ])
  const different = [...new Map(texts.map((text) => [nameOf(text), text])).values()]
  return [
    resolutionsOf(ctx, different),
    knownIdentities(asked.identities.map(({ accountId, identity }) => [accountId, identity])),
    identitiesByBankKeys(asked.bankKeys.map(({ accountId, bankKey }) => [accountId, bankKey])),
    takenExternalIds(externalIds),
    linesWithOwnIds(externalIds),
  ] as const
}

const knownFrom = (
  identities: KnownIdentity[],
  byBank: KnownIdentity[],
  taken: TakenId[],
  themselves: TakenId[],
) => ({
  identities: [...identities, ...byBank].map(identityFrom),
  externalIds: [...taken, ...themselves].map(externalFrom),
})

/** Reads the identities and external ids that accounts know for the rows of a piece. */
export async function lookUp(
  ctx: SignedIn,
  piece: Piece,
  hasPayees: boolean,
): Promise<StoredMatches> {
  const [meant, ...found] = await read(ctx, ...looksOf(ctx, piece, hasPayees))
  resolvePayees(piece, meant)
  return knownFrom(...found)
}

/** Like `lookUp` for the only piece of a file, together with all rows that its rows may be compared with. */
export async function lookUpAll(
  ctx: SignedIn,
  piece: Piece,
  wanted: Lookups,
  { views, hasPayees, ...ownership }: Whose & { views: AccountView[]; hasPayees: boolean },
): Promise<{ known: StoredMatches; found: Compared }> {
  const [meant, identities, byBank, taken, themselves, ...rest] = await read(
    ctx,
    ...looksOf(ctx, piece, hasPayees),
    ...fixedFinders(wanted, ownership),
    ...wanted.candidates.flatMap((span) => candidatesIn(ctx, span)),
    ...wanted.halves.map((span) => halvesIn(ctx, span, ownership.importId)),
  )
  resolvePayees(piece, meant)
  return {
    known: knownFrom(identities, byBank, taken, themselves),
    found: comparedFrom(rest, wanted.halves.length, views),
  }
}

/** Tells whether one round trip can find everything that is wanted. */
export const isOfOneTrip = ({ candidates, halves }: Lookups): boolean =>
  ![...candidates, ...halves].some(isLarge)

const storedFrom = (row: StoredCandidate): StoredRow => ({
  accountId: row.accountId,
  kind: row.identity === null ? 'typed' : row.pending === 1 ? 'pending' : 'booked',
  state: stateOf(row),
  date: row.date,
  minor: row.amountMinor,
  text: row.text ?? '',
  ...(row.transactionId === null ? {} : { transactionId: row.transactionId }),
  ...(row.identity === null ? {} : { identity: row.identity }),
  ...(row.importId === null ? {} : { importId: row.importId }),
  ...(row.bankKey === null ? {} : { bankKey: row.bankKey }),
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  ...(row.balanceMinor === null ? {} : { balanceMinor: row.balanceMinor }),
  ...(row.payeeId === null ? {} : { payeeId: row.payeeId }),
  ...(row.number === null ? {} : { number: row.number }),
  ...(row.otherAccountId === null ? {} : { otherAccountId: row.otherAccountId }),
})

const halfFrom = ({
  amountMinor,
  isUncategorised,
  counterAccount,
  ...row
}: HalfRow): StoredHalf => ({
  ...row,
  ...(typeof counterAccount === 'string' ? { counterAccount } : {}),
  minor: amountMinor,
  isUncategorised: isUncategorised === 1,
})

/** From how many amounts on a file is so large that what it is compared with takes more than one trip. */
const MANY_AMOUNTS = 2000

const WINDOW_DAYS = 180

const isLarge = ({ minors }: { minors: number[] }) => minors.length > MANY_AMOUNTS

/** Divides a span of days into parts, so that no statement reads all rows of an account. */
function windowsOf<Span extends { from: string; through: string }>(span: Span): Span[] {
  const windows: Span[] = []
  for (let { from } = span; ; from = addDays(from, WINDOW_DAYS)) {
    const last = nearDay(from, WINDOW_DAYS - 1)
    if (last >= span.through) {
      return [...windows, { ...span, from }]
    }
    windows.push({ ...span, from, through: last })
  }
}

const partition = <Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]

interface Whose {
  importId: string
  accountIds: string[]
}

/** The stored rows that a file is compared with, the stored closing balances, and the number of decided rows. */
export type Compared = LookupResults & { closings: StoredEnd[]; decidedRows: number }

const fixedFinders = ({ identities }: Lookups, { importId, accountIds }: Whose) =>
  [closingsOf(importId, accountIds), identitiesLike(identities), countOfDecided(importId)] as const

/** @param found by `fixedFinders`, and by the finders of candidates and then of halves */
function comparedFrom(found: unknown[][], halves: number, views: AccountView[]): Compared {
  const [closings, like, [decided], ...rest] = found as [
    StoredEnd[],
    StoredCandidate[],
    { rows: number }[],
    ...unknown[][],
  ]
  const at = rest.length - halves
  const candidateRows = rest.slice(0, at).flat() as StoredCandidate[]
  const halfRows = rest.slice(at).flat() as HalfRow[]
  return {
    closings,
    decidedRows: decided?.rows ?? 0,
    identities: like.map((row) => identityFrom({ ...row, identity: row.identity ?? '' })),
    candidates: candidateRows.map(storedFrom),
    halves: halfRows.map(halfFrom),
    accounts: views.map(({ account }) => ({
      id: account.id,
      name: account.name,
      currency: account.currency,
      ...(account.iban === null ? {} : { iban: account.iban }),
      ...(account.numberLastFour === null ? {} : { lastFour: account.numberLastFour }),
    })),
  }
}

/** Reads the stored rows that open rows are compared with. */
export async function findWanted(
  ctx: SignedIn,
  wanted: Lookups,
  views: AccountView[],
  ownership: Whose,
): Promise<Compared> {
  const [large, few] = partition(wanted.candidates, isLarge)
  const [largeHalves, fewHalves] = partition(wanted.halves, isLarge)
  const found = await read(
    ctx,
    ...fixedFinders(wanted, ownership),
    ...few.flatMap((span) => candidatesIn(ctx, span)),
    ...fewHalves.map((span) => halvesIn(ctx, span, ownership.importId)),
  )
  const compared = comparedFrom(found, fewHalves.length, views)
  const candidates = [...compared.candidates]
  const halves = [...compared.halves]
  for (const window of large.flatMap(windowsOf)) {
    candidates.push(...(await read(ctx, ...candidatesIn(ctx, window))).flat().map(storedFrom))
  }
  for (const window of largeHalves.flatMap(windowsOf)) {
    halves.push(
      ...(await read(ctx, halvesIn(ctx, window, ownership.importId))).flat().map(halfFrom),
    )
  }
  return { ...compared, candidates, halves }
}
