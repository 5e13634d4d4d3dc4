import { transactionIdFrom, exampleId } from '../../domain/ids.ts'
import budgets from './examples/budgets.json' with { type: 'json' }
import identity from './examples/identity.json' with { type: 'json' }
import imports from './examples/imports.json' with { type: 'json' }
import money from './examples/money.json' with { type: 'json' }
import others from './examples/others.json' with { type: 'json' }

// A test sends all of these to the demo data. They are apart from the routes, so that no release carries them.

/** Parameters in the path, where the example of their kind is in another state than the operation is for. */
export const PATH_EXAMPLES: Record<string, Record<string, string>> = {
  reopenAccount: { id: exampleId('acc', 5) },
  getCardCycle: { id: exampleId('acc', 6) },
  listCardStatements: { id: exampleId('acc', 6) },
  getCardStatement: { id: exampleId('acc', 6) },
  convertToTransfer: { id: exampleId('txn', 2) },
  revertToSingle: { id: `${transactionIdFrom(exampleId('trf'))}-1` },
  restoreFromTrash: { kind: 'transaction', id: exampleId('txn', 4) },
  restoreAttachment: { id: exampleId('att', 2) },
  leaveGroup: { id: exampleId('grp', 2) },
  updateShare: { id: exampleId('shr', 2) },
  closeBudgetPeriod: { period: '2025-01-01' },
  reopenBudgetPeriod: { id: exampleId('bud', 2), period: '2025-01-01' },
  unshareBudgetFromGroup: { id: exampleId('bud', 2) },
  updateOccurrence: { id: exampleId('rec'), date: '2030-01-15' },
}

/**
 * Operations whose path names what the demo data cannot have: a secret, a visit of an identity provider, or what comes and
 * goes in the background. They have no example in the path, so that nobody is sent after it.
 */
export const NOTHING_TO_NAME = [
  ...['authorizeWithProvider', 'returnFromProvider', 'followDownloadLink'],
  ...['getJob', 'cancelJob', 'getQueueTask', 'cancelQueueTask', 'retryQueueTask'],
  ...['getBackup', 'downloadBackup', 'deleteBackup', 'putBackupUploadPart', 'deleteBackupUpload'],
  ...['getRestore', 'updateNotification'],
  ...['getExport', 'downloadExport', 'deleteExport'],
  ...['getAuditLogExport', 'downloadAuditLogExport'],
  ...['getImport', 'deleteImport', 'replaceImportFile', 'downloadImportFile', 'previewImport'],
  ...['getImportReport', 'getImportReportAsCsv'],
  ...['setImportMapping', 'cancelImport', 'commitImport', 'revertImport', 'listImportRows'],
  ...['updateImportRow', 'updateImportRows'],
  ...['getImportProfile', 'updateImportProfile', 'deleteImportProfile'],
  'undoChange',
  ...['undoMovement', 'updateBudgetTemplate', 'deleteBudgetTemplate', 'applyBudgetTemplate'],
  ...[
    'getWebhook',
    'updateWebhook',
    'deleteWebhook',
    'testWebhook',
    'listDeliveries',
    'retryDelivery',
  ],
]

/** An id of the demo data in a body: `{acc}` is that of its first account, `{acc 2}` that of the second. */
const PLACEHOLDER = /^\{(\w+)(?: (\d+))?\}$/

const withIds = (bodies: Record<string, object>) =>
  JSON.parse(JSON.stringify(bodies), (_, value: unknown) => {
    const [, prefix, nth = '1'] = PLACEHOLDER.exec(typeof value === 'string' ? value : '') ?? []
    return prefix === undefined ? value : exampleId(prefix, Number(nth))
  }) as Record<string, object>

/** Bodies that work with the demo data, by operation. */
export const BODY_EXAMPLES: Record<string, object> = withIds({
  ...identity,
  ...money,
  ...budgets,
  ...imports,
  ...others,
})
