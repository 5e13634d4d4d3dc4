import { rows } from './api.ts'
import type { Heard } from './plans.ts'

// Statements about everybody. As long as they are few and known by name, whole users can live in databases of their own:
// all that a user does stays within the rows of those whom its statements name.

/** Tables that are nobody's: of the system, or of its administrators. */
const OF_NOBODY = new Set([
  'd1_migrations',
  'identity_providers',
  'rate_coverage',
  'rate_limits',
  'role_permissions',
  'roles',
  'settings',
  'storage_classes',
  'system_exchange_rates',
  'tasks',
  'write_guard',
])

/** Who may send statements over the rows of all users, and why. */
export const OVER_ALL: Record<string, string> = {
  // User administration.
  listUsers: 'administrators see all users',
  listRoles: 'and how many have each role',
  listAllInviteCodes: 'administrators see all codes',
  listAllShares: 'administrators see what everybody shares',
  listAllGroups: 'administrators see all groups',
  // Metrics.
  getMetrics: 'counts all',
  getStorageMetrics: 'counts all',
  getDownloadMetrics: 'counts all',
  getGrowthTrends: 'counts all',
  getSystemHealth: 'how far the readers of the log have come',
  // The log.
  listAuditLogs: 'the log of the database is one',
  'auditLog.export': 'administrators export it',
  verifyAuditLog: 'and so is its chain',
  sweep: 'seals the chain, and looks for restores and webhooks that are due',
  'auditLog.storeSegments': 'stores what is old of the log',
  'auditLog.cut': 'deletes what is stored of it',
  // What is due, found by the clock by an index.
  'archives.expire': 'archives that are due',
  'export.startScheduled': 'schedules that are due',
  'files.purge': 'files that are due',
  'imports.expire': 'imports that are due',
  'platform.purge': 'what has expired',
  'trash.purge': 'what is due in the trash',
  'user.scheduleErasures': 'users who are due',
  'user.erase': 'archives that are due, beside those of the user',
  register: 'forgets the one-time tokens of all that have expired, so that the table does not grow',
  // Maintenance.
  'ledger.check': 'checks the books of all',
  'assertions.check': 'compares the assertions of all with their books',
  'budgets.tellExpired': 'shares of all that expired on the day before',
  'budgets.checkpoint': 'stores checkpoints of all budgets',
  'files.sweep': 'objects that no row names',
  'exchangeRates.fetch': 'since when anybody needs rates of a currency',
  'webhooks.purge': 'deliveries that are due, and secrets that sign no more',
  'secrets.reseal': 'seals all secrets under the newest key',
}

/** A row of somebody is asked for by ids, by the hash of a credential or by an address; a list of ids may be empty. */
const NAMES_SOMEBODY = /[a-z]{3}_[0-9a-z]{26}|^[\w-]{43}$|^[0-9a-f]{64}$|@|^\[\]$/

const isOfSomebody = (values: unknown[]) =>
  values.some((value) => typeof value === 'string' && NAMES_SOMEBODY.test(value))

/** Who sends statements to tables of users that bind nothing which says whose rows they mean, with those statements. */
export async function sendersOverAll(heard: Heard): Promise<Map<string, string[]>> {
  const tables = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  )
  const owned = tables.map(({ name }) => name).filter((name) => !OF_NOBODY.has(name))
  const isOnOwned = new RegExp(`\\b(?:${owned.join('|')})\\b`)
  const senders = new Map<string, string[]>()
  for (const [sql, { by, values }] of heard) {
    const sender = by.split(' ')[0] ?? ''
    // What is told in the log was done by a statement before.
    if (isOnOwned.test(sql) && !isOfSomebody(values) && !sql.startsWith('INSERT INTO log_')) {
      senders.set(sender, [...(senders.get(sender) ?? []), sql])
    }
  }
  return senders
}

/** The statements of those that may send none, and those that may and were asked and sent none. */
export async function overAllAmiss(
  heard: Heard,
  isAsked: (who: string) => boolean,
): Promise<{ found: [string, string[]][]; surplus: string[] }> {
  const senders = await sendersOverAll(heard)
  return {
    found: [...senders].filter(([who]) => !(who in OVER_ALL)),
    surplus: Object.keys(OVER_ALL).filter((who) => isAsked(who) && !senders.has(who)),
  }
}
