import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../platform/paging.ts'
import type { Statement } from '../../../platform/statements.ts'
import {
  findGroups,
  listHistory,
  presentAccount,
  presentGroup,
  presentHistory,
  visibleAccounts,
} from '../../accounts/accounts.public.ts'
import { listCategories, presentCategory } from '../../categories/categories.public.ts'
import { findOwnCurrencies, presentOwnCurrencies } from '../../currencies/currencies.public.ts'
import { listExchangeRates, presentRate } from '../../exchange-rates/exchange-rates.public.ts'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import { findPayees, presentPayee } from '../../payees/payees.public.ts'
import { findTags, presentTag } from '../../tags/tags.public.ts'
import { findTransactions } from '../../transactions/transactions.public.ts'
import { findTransfers, presentTransfer } from '../../transfers/transfers.public.ts'
import { findTrash, presentItem } from '../../trash/trash.public.ts'
import {
  findPreferences,
  findProfile,
  presentPreferences,
  presentProfile,
} from '../../user/user.public.ts'
import { findValuations, presentValuation } from '../../valuations/valuations.public.ts'
import {
  presentAttachment,
  presentGivenShare,
  presentLogRow,
  presentMembership,
  presentPair,
  presentStoredLink,
} from './contents.presenters.ts'
import {
  accountIdsOf,
  pageOfAttachments,
  pageOfDistinctPairs,
  pageOfLinks,
  pageOfLog,
  pageOfMemberships,
  pageOfShares,
  type StoredAttachment,
} from './contents.queries.ts'

/** Rows of a page: what is in memory at one time. */
const PAGE = 500

type Pages = AsyncGenerator<object[]>

/** One kind of what a user owns, as the interface shows it to its owner. */
export interface Content {
  /** Also the name of its file. */
  name: string
  pages: (owner: SignedIn) => Pages
}

type Lister<Row> = (page: PageRequest) => Promise<{ rows: Row[]; next: Position | null }>

async function* pagesOf<Row>(list: Lister<Row>, present: (rows: Row[]) => object[]): Pages {
  let after: Position | undefined
  do {
    const { rows, next } = await list({ limit: PAGE, after })
    yield present(rows)
    after = next ?? undefined
  } while (after)
}

/** What a list of the interface gives to its owner, without what others share. */
const listed = <Row>(
  name: string,
  list: (owner: SignedIn, page: PageRequest) => ReturnType<Lister<Row>>,
  present: (row: Row) => object,
  ownerOf?: (row: Row) => string | null,
): Content => ({
  name,
  pages: (owner) =>
    pagesOf(
      (page) => list(owner, page),
      (rows) =>
        rows
          .filter((row) => !ownerOf || ownerOf(row) === owner.caller.userId)
          .map((row) => present(row)),
    ),
})

/** What only stands in tables as a whole. */
const stored = <Row>(
  name: string,
  finder: (ownerId: string, page: PageRequest) => Statement<Row[]>,
  present: (row: Row, ownerId: string) => object,
  positionOf: (row: Row) => Position,
): Content => ({
  name,
  pages: (owner) =>
    pagesOf(
      async (page) => {
        const [found] = await read(owner, finder(owner.caller.userId, page))
        return cutPage(found, page, positionOf)
      },
      (rows) => rows.map((row) => present(row, owner.caller.userId)),
    ),
})

const byId = ({ id }: { id: string }): Position => [id]

/** As `listed`, of rows that name an account and not its owner. */
const ofAccounts = <Row extends { accountId: string | null }>(
  name: string,
  list: (owner: SignedIn, page: PageRequest) => ReturnType<Lister<Row>>,
  present: (row: Row) => object,
): Content => ({
  name,
  async *pages(owner) {
    const [accounts] = await read(owner, accountIdsOf(owner.caller.userId))
    const ids = new Set(accounts.map(({ id }) => id))
    yield* pagesOf(
      (page) => list(owner, page),
      (rows) =>
        rows.filter(({ accountId }) => accountId === null || ids.has(accountId)).map(present),
    )
  },
})

/** What comes at once. */
const whole = (name: string, find: (owner: SignedIn) => Promise<object[]>): Content => ({
  name,
  async *pages(owner) {
    yield await find(owner)
  },
})

/**
 * All rows that a user owns but files, each kind a file of the archive.
 * @param noted is shown every file that there is, for its bytes
 */
export const contents = (noted: (file: StoredAttachment) => void): Content[] => [
  whole('profile', async (owner) => [presentProfile(await findProfile(owner))]),
  whole('preferences', async (owner) => [presentPreferences(await findPreferences(owner))]),
  whole('currencies', async (owner) => [presentOwnCurrencies(await findOwnCurrencies(owner))]),
  whole('accountGroups', async (owner) => (await findGroups(owner)).map(presentGroup)),
  whole('accounts', async (owner) => {
    const [views] = await read(owner, visibleAccounts(owner))
    return views
      .filter(({ account }) => account.ownerId === owner.caller.userId)
      .map((view) => presentAccount(view))
  }),
  ofAccounts('accountHistory', (owner, page) => listHistory(owner, {}, page), presentHistory),
  listed(
    'categories',
    (owner, page) => listCategories(owner, { view: 'flat' }, page),
    ({ row }) => presentCategory(row),
  ),
  listed('tags', (owner, page) => findTags(owner, {}, page), presentTag),
  listed('payees', (owner, page) => findPayees(owner, {}, page), presentPayee),
  listed(
    'transactions',
    (owner, page) => findTransactions(owner, {}, { sort: '-date', totals: false }, page),
    (row) => presentTransaction(row),
    ({ ownerId }) => ownerId,
  ),
  listed(
    'transfers',
    (owner, page) => findTransfers(owner, {}, page),
    (view) => presentTransfer(view),
    ({ from }) => from.ownerId,
  ),
  stored('transactionLinks', pageOfLinks, presentStoredLink, byId),
  stored('distinctPairs', pageOfDistinctPairs, presentPair, ({ oneId, otherId, kind }) => [
    oneId,
    otherId,
    kind,
  ]),
  listed(
    'valuations',
    (owner, page) => findValuations(owner, {}, page),
    presentValuation,
    ({ ownerId }) => ownerId,
  ),
  listed(
    'exchangeRates',
    (owner, page) => listExchangeRates(owner, { source: 'user' }, page),
    presentRate,
    ({ ownerId }) => ownerId,
  ),
  ofAccounts('trash', (owner, page) => findTrash(owner, {}, page), presentItem),
  stored('shares', pageOfShares, presentGivenShare, byId),
  stored('groups', pageOfMemberships, presentMembership, byId),
  stored(
    'attachments',
    pageOfAttachments,
    (file) => {
      noted(file)
      return presentAttachment(file)
    },
    byId,
  ),
  stored('auditLog', pageOfLog, presentLogRow, ({ sequence }) => [sequence]),
]
