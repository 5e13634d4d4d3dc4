import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { areas } from '../../src/areas/index.ts'
import {
  isBeside,
  isReversible,
  REVERSED_BY,
} from '../../src/areas/events/changes/changes.rules.ts'
import { eventTypes } from '../../src/platform/log/events.ts'

const files = globSync(['src/{areas,ledger}/**/*.events.ts', 'src/platform/log/*events.ts'], {
  cwd: inProject(),
})
await Promise.all(files.map((file) => import(inProject(file))))

/** Events whose commits nothing undoes, by resource. A new type belongs here, or to what reverses it. */
const NOT_UNDONE: Record<string, string> = {
  accessToken: 'created refused revoked updated',
  account:
    'balanceAdjusted balanceConfirmed balanceLow closed created erasureBegun recalculated reopened reordered restored shared unshared updated',
  accountAlert: 'updated',
  accountGroup: 'created deleted updated',
  accountHistory: 'commented hidden',
  archive: 'expired',
  assertion: 'created deleted failed',
  attachment: 'created deleted linkMade linked restored shared unlinked unshared updated',
  auditLog: 'cut exportBegun exportRequested exported sealed segmentStored',
  backup:
    'begun deleted made requested restoreFailed restoreRequested restored rowsRestored uploadBegun uploadDeleted verified',
  budget:
    'accountLeft assigned copied created erased held movementUndone noted overspent periodClosed periodReopened restored shared sharedWithGroup templateApplied thresholdReached unshared unsharedFromGroup updated',
  budgetLine: 'archived created deleted reordered targetSet updated',
  budgetTemplate: 'created deleted updated',
  category: 'erased merged reordered restored updated',
  currencies: 'chosen',
  email: 'changeRefused changeRequested changed confirmationResent refused verified',
  exchangeRate: 'created deleted updated',
  export: 'begun deleted made requested',
  exportSchedule: 'created deleted updated',
  file: 'downloaded purged',
  files: 'swept',
  group: 'created deleted ownerChanged storageClassSet updated',
  groupInvite: 'created declined refused withdrawn',
  groupMember: 'added joined left removed updated',
  identity: 'linked unlinked',
  identityProvider: 'created deleted tested updated',
  import: 'cancelled deleted expired failed mapped read reverted reverting rowsDecided uploaded',
  importProfile: 'created deleted updated',
  inviteCode: 'created refused revoked updated',
  ledger: 'checkContinued checked recalculated recalculationContinued',
  mail: 'dropped sent',
  maintenance: 'checkRequested purgeRequested recalculationRequested',
  mfa: 'begun disabled enabled recoveryCodesReplaced refused',
  password: 'changed refused reset resetRefused resetRequested',
  payee: 'aliasAdded aliasRemoved erased merged restored updated',
  period: 'locked unlocked',
  platform: 'purged',
  preferences: 'updated',
  reader: 'failed skipped',
  reconciliation: 'abandoned changed started undone',
  recurring: 'created erased missed priceChanged restored settled skipped updated',
  role: 'created deleted updated',
  rule: 'created erased reordered restored updated',
  savedView: 'created deleted updated',
  secrets: 'checked resealed',
  session: 'allRevoked challenged codeRefused created refreshTokenReused refreshed refused revoked',
  settings: 'updated',
  share: 'accepted declined updated',
  signIn: 'begun confirmed refused',
  storageClass: 'created deleted updated',
  systemRate: 'created deleted updated',
  systemRates: 'fetched filled requested',
  tag: 'erased merged restored updated',
  task: 'cancelled failed lost retried stopRequested undelivered',
  tasks: 'purged scheduled',
  transaction: 'erased large linked pairDismissed unlinked',
  trash: 'emptied erased erasureContinued erasureDone purgeBegun',
  user: 'avatarChanged avatarDeleted created dataErased deleted deletionScheduled deletionUndone erased erasureBegun erasureContinued erasureScheduled erasureStopped exportsErased logRedacted mfaReset passwordReset provisioned refused registered restored rolesChanged sessionsRevoked updated wipeContinued wipeScheduled wipeUndone wiped',
  valuation: 'created deleted updated',
  webhook: 'created deleted deliveryRetried disabled tested updated',
}

it('says of every type of event if its commit can be undone, or what reverses it', () => {
  const open = [...eventTypes()].filter(
    (type) => !isReversible(type) && !isBeside(type) && !REVERSED_BY.has(type),
  )
  const listed = Object.entries(NOT_UNDONE).flatMap(([resource, verbs]) =>
    verbs.split(' ').map((verb) => `${resource}.${verb}`),
  )
  expect(open.toSorted()).toEqual(listed.toSorted())
})

it('names operations that exist, and events that somebody makes', () => {
  const ids = new Set(
    areas.flatMap(({ operations = [] }) => operations.flatMap((module) => Object.keys(module))),
  )
  for (const [type, operation] of REVERSED_BY) {
    expect([type, eventTypes().has(type), ids.has(operation)]).toEqual([type, true, true])
  }
})
