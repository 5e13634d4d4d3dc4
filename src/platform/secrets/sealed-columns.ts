import type { SecretPlace } from './key-ring.ts'

/** A column of sealed records, which re-encryption must know. */
export interface SealedColumn {
  table: string
  /** The column that identifies its rows: the `id` of their places. */
  idColumn: string
  column: string
  /** The field with the record, if the column holds JSON. */
  jsonField?: string
}

/** Mails that wait to be sent; see platform/outbound/mail.ts. */
export const MAIL_RECORDS: SealedColumn = {
  table: 'tasks',
  idColumn: 'dedupe_key',
  column: 'payload',
  jsonField: 'sealed',
}

/** Client secrets of identity providers. */
export const CLIENT_SECRETS: SealedColumn = {
  table: 'identity_providers',
  idColumn: 'id',
  column: 'client_secret',
}

/** Secrets that authenticator apps hold, too. */
export const TOTP_SEEDS: SealedColumn = { table: 'mfa_factors', idColumn: 'id', column: 'seed' }

/** Secrets that sign what webhooks send, and those before them, which sign for another day. */
export const WEBHOOK_SECRETS: SealedColumn = {
  table: 'webhooks',
  idColumn: 'id',
  column: 'secret',
}
export const PREVIOUS_WEBHOOK_SECRETS: SealedColumn = {
  ...WEBHOOK_SECRETS,
  column: 'previous_secret',
}

/** Every column that holds sealed records. A new one is added here, or its records die with their key. */
export const RESEALABLE: readonly SealedColumn[] = [
  ...[MAIL_RECORDS, CLIENT_SECRETS, TOTP_SEEDS],
  ...[WEBHOOK_SECRETS, PREVIOUS_WEBHOOK_SECRETS],
]

export const placeIn = ({ table, column }: SealedColumn, id: string): SecretPlace => ({
  table,
  id,
  field: column,
})
