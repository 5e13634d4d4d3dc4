import { sql } from 'drizzle-orm'
import { accountAlerts } from '../../../../drizzle/schema/notifications.ts'
import { accountGroups, accounts, historyNotes } from '../../../../drizzle/schema/accounts.ts'
import {
  accountBalances,
  accountPeriods,
  flowPeriods,
} from '../../../../drizzle/schema/projections.ts'
import { type Check, countOf, minorUnits } from '../../../domain/stored-values.ts'
import { lastFour } from '../../../domain/text.ts'
import { takenAs, takenBy } from '../../../http/stored-fields.ts'
import { openBalances, eraseTransactionsOf } from '../../../ledger/ledger.public.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { read } from '../../../platform/database/database.ts'
import { listed, whole } from '../../../platform/owned-data/exports.ts'
import {
  forgetBy,
  type OwnedData,
  ownRows,
  rowsOfScope,
} from '../../../platform/owned-data/owned-data.ts'
import { db } from '../../../platform/database/statements.ts'
import { hasMuch } from '../../../platform/owned-data/with-accounts.ts'
import { END_OF_LOG } from '../../../platform/work/reader-rows.ts'
import { keepAlerting } from './alerts/alerts.queries.ts'
import { CreateAccountDTO, presentAccount } from './accounts.contract.ts'
import { visibleAccounts } from './accounts.queries.ts'
import { type AccountType, isCard, openingIdOf } from './accounts.rules.ts'
import { CreateAccountGroupRequest, presentFolder } from './folders/folders.contract.ts'
import { MOST_FOLDERS } from './folders/folders.queries.ts'
import { listAccountGroups } from './folders/folders.usecases.ts'
import { presentAccountHistory } from './history/history.contract.ts'
import { getAccountHistory } from './history/history.usecases.ts'
import { eraseAccounts, eraseSomeOf, trashedAccounts } from './trash.queries.ts'
import { largeAccounts, trashedAccount } from './trash.usecases.ts'
import { owns } from '../../identity/access/access.public.ts'

const ofCard =
  (check: Check, holdsIn: (row: Parameters<Check>[1]) => boolean = () => true): Check =>
  (value, row) =>
    isCard(row['type'] as AccountType) && check(value, row) && holdsIn(row)

/** Also of the trash, and those that are being erased: what moved between them and others is still booked. */
export const archivedAccounts: ArchivedTable = {
  table: accounts,
  prefixes: ['acc'],
  owner: [accounts.ownerId],
  order: [accounts.id],
  leftOut: [accounts.lockedThrough, accounts.hardLockedThrough, accounts.ruleSet],
  follow: (ids) => [openBalances(ids)],
  holds: {
    ...takenAs(CreateAccountDTO, [
      ...(['name', 'institution', 'iban', 'interestRate'] as const),
      ...(['statementDay', 'dueDay'] as const),
      ...(['color', 'icon', 'order', 'note'] as const),
    ]),
    dueAfterDays: ofCard(
      takenBy(CreateAccountDTO.shape.dueAfterDays),
      (row) => row['due_day'] === null,
    ),
    dueWeekend: ofCard(takenBy(CreateAccountDTO.shape.dueWeekend)),
    minimumPercent: ofCard(takenBy(CreateAccountDTO.shape.minimumPercent)),
    minimumAmountMinor: ofCard(countOf),
    numberLastFour: (value) => lastFour(String(value)) === value,
    erasedAt: (_, row) => row['deleted_at'] !== null,
  },
  merge: {
    same: [accounts.nameKey],
    sameWhere: sql`${accounts.deletedAt} IS NULL`,
    isRenamed: true,
  },
}

/** Of own accounts: the others are not in the archive. */
const archivedAlerts: ArchivedTable = {
  table: accountAlerts,
  owner: [accountAlerts.userId],
  order: [accountAlerts.accountId],
  where: sql`EXISTS (SELECT 1 FROM accounts a WHERE a.id = ${accountAlerts.accountId} AND a.owner_id = ${accountAlerts.userId})`,
  leftOut: [accountAlerts.isLow, accountAlerts.sinceEvent],
  // What is booked comes later: until the balance was at the limit, nothing is told.
  fill: { is_low: sql.raw('1'), since_event: END_OF_LOG },
  holds: { belowMinor: minorUnits, aboveMinor: countOf },
  around: (ownerId, _, statements) => [...statements, ...keepAlerting(ownerId)],
  merge: { with: [accountAlerts.accountId] },
}

const NOTHING_IS_BOOKED = sql`NOT EXISTS (SELECT 1 FROM entries e JOIN transactions t ON t.id = e.transaction_id
    WHERE e.account_id = ${accounts.id} AND e.side = 'account' AND t.kind <> 'opening')
  AND NOT EXISTS (SELECT 1 FROM unbooked_entries e WHERE e.account_id = ${accounts.id})`

/** The projections of an account. If it is booked on again, they stay. */
const KEPT = [accountBalances, accountPeriods, flowPeriods]

export const accountData: OwnedData = {
  area: 'accounts',
  tables: [accounts, accountGroups, historyNotes, accountAlerts],
  forget: forgetBy(accountAlerts.userId),
  reset: {
    wipedWith: 'preferences',
    statements: (_, { ownerId, before }) => [
      db.run(
        sql`DELETE FROM account_alerts WHERE user_id = ${ownerId} AND updated_at <= ${before}`,
      ),
    ],
  },
  erase: [
    // Rows of an account that are newer than the wipe are erased with it.
    {
      name: 'accountRows',
      find: (scope) =>
        db.all(sql`SELECT ${accounts.id} AS id FROM ${rowsOfScope(scope, accounts, accounts.id)}
          WHERE ${accounts.ownerId} = ${scope.ownerId} AND ${accounts.createdAt} <= ${scope.before}
            AND ${NOTHING_IS_BOOKED} AND ${hasMuch(sql`${accounts.id}`, KEPT)} LIMIT 1`),
      erase: (ids, { ownerId }) => ids.flatMap((id) => eraseSomeOf({ id, ownerId }, KEPT)),
      wipedWith: ['accounts'],
    },
    // Accounts without bookings, with opening balance and history notes, also from the trash.
    ownRows('accounts', accounts, {
      where: NOTHING_IS_BOOKED,
      // Each may have days and months by the thousand.
      limit: 25,
      // A booking made since they were found stops the commit by its foreign key.
      erase: (ids, { ownerId }) => [
        ...eraseTransactionsOf(ids.map(openingIdOf), ownerId),
        ...eraseAccounts(ids, ownerId),
      ],
      wipedWith: ['accounts'],
    }),
    // None is in one any more.
    ownRows('accountGroups', accountGroups, {
      where: sql`NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_group_id = ${accountGroups.id})`,
      wipedWith: ['accounts'],
    }),
  ],
  goWithAccount: [historyNotes, accountAlerts],
  archived: [
    {
      table: accountGroups,
      prefixes: ['agr'],
      owner: [accountGroups.ownerId],
      order: [accountGroups.id],
      holds: takenAs(CreateAccountGroupRequest, ['name', 'order']),
      most: [{ rows: MOST_FOLDERS }],
      merge: { same: [accountGroups.nameKey] },
    },
    archivedAccounts,
    archivedAlerts,
  ],
  exports: [
    whole('accountGroups', async (owner) => (await listAccountGroups(owner)).map(presentFolder)),
    whole('accounts', async (owner) => {
      const [views] = await read(owner, visibleAccounts(owner))
      return views
        .filter(({ account }) => owns(owner.caller, account))
        .map((view) => presentAccount(view))
    }),
    listed(
      'accountHistory',
      (owner, page) => getAccountHistory(owner, {}, page),
      presentAccountHistory,
      ({ isOwn }) => isOwn === 1,
    ),
  ],
  trash: { kinds: { account: trashedAccount }, shelves: [trashedAccounts], large: largeAccounts },
}
