import { setAccountAlert } from '../../src/areas/money/accounts/alerts/alerts.usecases.ts'
import { setAvatar } from '../../src/areas/data-rights/own-user/own-user.usecases.ts'
import { createAttachment } from '../../src/areas/files/attachments/upload.usecases.ts'
import { deleteAttachment } from '../../src/areas/files/attachments/attachments.usecases.ts'
import { createStorageClass } from '../../src/areas/files/storage-classes/storage-classes.usecases.ts'
import { createAccessToken } from '../../src/areas/identity/access-tokens/access-tokens.usecases.ts'
import { DEMO_PASSWORD } from '../../src/areas/identity/auth/auth.usecases.ts'
import { createIdentityProvider } from '../../src/areas/identity/identity-providers/identity-providers.usecases.ts'
import { createInviteCode } from '../../src/areas/identity/invites/invites.usecases.ts'
import { createRole } from '../../src/areas/identity/roles/roles.usecases.ts'
import { createAccount } from '../../src/areas/money/accounts/accounts.usecases.ts'
import { closeAccount } from '../../src/areas/money/accounts/lifecycle.usecases.ts'
import { createExchangeRate } from '../../src/areas/money/exchange-rates/exchange-rates.usecases.ts'
import { createPayeeAlias } from '../../src/areas/money/payees/aliases.usecases.ts'
import { createRule } from '../../src/areas/money/rules/rules.usecases.ts'
import { createTag } from '../../src/areas/money/tags/tags.usecases.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../src/areas/money/transactions/transactions.usecases.ts'
import { createTransfer } from '../../src/areas/money/transfers/transfers.usecases.ts'
import { createValuation } from '../../src/areas/money/valuations/valuations.usecases.ts'
import { createGroup } from '../../src/areas/sharing/groups/groups.usecases.ts'
import {
  acceptGroupInvite,
  createGroupInvite,
} from '../../src/areas/sharing/groups/invites/invites.usecases.ts'
import { createShare } from '../../src/areas/sharing/sharing/sharing.usecases.ts'
import { RULE_OCCASIONS } from '../../src/domain/rules/rules.ts'
import { exampleId } from '../../src/domain/ids.ts'
import type { Settled } from './person.ts'

/** One of each thing that the description takes for an example, and what a newcomer may want to try it with. */
export async function addExamples(
  today: string,
  admin: Settled,
  one: Settled,
  two: Settled,
): Promise<void> {
  await addNames(today, one)
  await addTransactions(today, one)
  await addFiles(today, one)
  await addShares(today, one, two)
  await addOfAdministrators(today, admin)
}

const accountOf = ({ accounts }: Settled, key: string) => accounts.get(key)?.id ?? ''

async function addNames(today: string, one: Settled): Promise<void> {
  const { as } = one
  for (const [nth, name] of ['Ireland', 'Reimbursed'].entries()) {
    const ctx = as('tags.write', today, [exampleId('tag', nth + 1)])
    await createTag(ctx, { name, archived: false })
  }
  await createRule(as('rules.write', today, [exampleId('rul')]), {
    name: 'Garden',
    condition: { field: 'text', op: 'word', value: 'garden' },
    changes: { addTagIds: [exampleId('tag')] },
    ...{ on: [...RULE_OCCASIONS], overwrite: false, stop: false, active: true },
  })
  const aliasing = as('payees.write', today, [exampleId('pal')])
  await createPayeeAlias(aliasing, exampleId('pay'), 'TESCO STORES 3021')
  const date = '2025-11-12'
  const rating = as('exchangeRates.write', today, [exampleId('rate')])
  await createExchangeRate(rating, { from: 'EUR', to: 'USD', date, rate: '1.0842' })
  const valuing = as('valuations.write', today, [exampleId('val'), exampleId('val')])
  await createValuation(valuing, { accountId: accountOf(one, 'flat'), date, value: '241000' })
  const opening = as('accounts.write', today, [exampleId('acc', 5)])
  const { account } = await createAccount(opening, {
    name: 'Old bank',
    type: 'checking',
    currency: 'EUR',
  })
  await closeAccount(as('accounts.write', today), account.id, {})
  await createAccessToken(as('tokens.write', today, [exampleId('tok')]), {
    name: 'Spreadsheet',
    scopes: ['read'],
    password: DEMO_PASSWORD,
  })
  await createInviteCode(as('inviteCodes.write', today, [exampleId('inv')]), {
    maxUses: 1,
    note: 'For Grace',
  })
}

/** A split one, a plain one, one that looks like it, one in the trash, and a refund; and a transfer. */
async function addTransactions(today: string, one: Settled): Promise<void> {
  const { as } = one
  const categoryId = exampleId('cat')
  const common = { accountId: accountOf(one, 'everyday'), date: today, status: 'cleared' } as const
  const shop = { ...common, kind: 'expense', description: 'Garden centre' } as const
  const wanted = [
    {
      ...shop,
      amount: '42.60',
      splits: [
        { amount: '18.50', categoryId },
        { amount: '24.10', categoryId: exampleId('cat', 2) },
      ],
    },
    { ...shop, amount: '18.50', categoryId },
    { ...shop, amount: '18.50', categoryId },
    { ...shop, amount: '5', description: 'By mistake' },
    { ...common, kind: 'income', amount: '18.50', accountId: accountOf(one, 'savings') } as const,
  ]
  for (const [nth, transaction] of wanted.entries()) {
    const ctx = as('transactions.write', today, [exampleId('txn', nth + 1)])
    await createTransaction(ctx, transaction)
  }
  await deleteTransaction(as('transactions.write', today), exampleId('txn', 4))
  await createTransfer(as('transfers.write', today, [exampleId('trf')]), {
    fromAccountId: accountOf(one, 'everyday'),
    toAccountId: accountOf(one, 'savings'),
    date: today,
    amount: '50',
    description: 'For the summer',
    status: 'cleared',
  })
}

/** A PNG of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const BILL = '%PDF-1.7\n% An empty bill.\n%%EOF\n'

async function addFiles(today: string, { as }: Settled): Promise<void> {
  for (const nth of [1, 2]) {
    const ctx = as('attachments.write', today, [exampleId('att', nth), exampleId('lnk', nth)])
    const link = { linkKind: 'transaction', linkId: exampleId('txn') } as const
    await createAttachment(
      ctx,
      { body: new Blob([BILL]).stream(), length: BILL.length },
      { fileName: 'bill.pdf', ...(nth === 1 ? link : {}) },
    )
  }
  await deleteAttachment(as('attachments.write', today), exampleId('att', 2))
  const picture = Uint8Array.from(atob(PICTURE), (character) => character.charCodeAt(0))
  const ctx = as('profile.write', today)
  await setAvatar(ctx, { body: new Blob([picture]).stream(), length: picture.length })
}

/** Adds shares that wait for an answer, and a group of the second member that the first has joined. */
async function addShares(today: string, one: Settled, two: Settled): Promise<void> {
  await createShare(two.as('shares.write', today, [exampleId('shr')]), {
    resourceType: 'account',
    resourceId: accountOf(two, 'current'),
    userId: one.as('shares.read', today).caller.userId,
    permission: 'view',
    writeScope: 'all',
  })
  await createShare(one.as('shares.write', today, [exampleId('shr', 2)]), {
    resourceType: 'account',
    resourceId: accountOf(one, 'cash'),
    userId: exampleId('usr'),
    permission: 'view',
    writeScope: 'all',
  })
  const groupId = exampleId('grp', 2)
  const ctx = two.as('groups.write', today, [groupId])
  await createGroup(ctx, { name: 'Cycling tour', kind: 'trip' })
  const inviting = two.as('groups.write', today)
  const { code } = await createGroupInvite(inviting, groupId, { role: 'member' })
  await acceptGroupInvite(one.as('groups.write', today), { code: code ?? '' })
}

async function addOfAdministrators(today: string, { as }: Settled): Promise<void> {
  await createRole(as('roles.write', today, [exampleId('rol')]), {
    name: 'Bookkeeper',
    description: 'Enters receipts',
    permissions: ['accounts.read', 'transactions.read', 'transactions.write'],
  })
  await createStorageClass(as('storageClasses.write', today, [exampleId('stc')]), {
    name: 'Archive',
    r2StorageClass: 'InfrequentAccess',
    prefix: 'archive/',
    quotaBytes: null,
    maxObjectBytes: 26_214_400,
    allowedTypes: ['application/pdf'],
    retentionDays: null,
    isDefault: false,
  })
  await createIdentityProvider(as('identityProviders.write', today, [exampleId('idp')]), {
    name: 'Example Inc.',
    domain: 'example.com',
    issuer: 'https://login.example.com',
    clientId: 'coffer',
    clientSecret: 'a secret of the provider',
    enabled: false,
  })
}

/** Sets an alert, of which nothing has been told yet. */
export async function watchBalance(date: string, { as, accounts }: Settled): Promise<void> {
  const { id = '' } = accounts.get('everyday') ?? {}
  await setAccountAlert(as('accounts.read', date), id, { below: '100.00', above: '500.00' })
}
