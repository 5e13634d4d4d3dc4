import { FORMAT_VERSION } from '../../src/areas/data-rights/backups/backups.rules.ts'
import { zip } from '../../src/platform/files/zip.ts'
import { createBackupUpload } from '../../src/areas/data-rights/backups/backups.routes.ts'
import { setExportSchedule } from '../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { ok } from './api.ts'
import { backupOf, dataExportOf, restoreOf, type Sample } from './sample-parts.ts'
import type { TestUser } from './world.ts'

/** An archive of nothing. It is sent as text, so its bytes are those of ASCII: of many manifests, one has such a CRC. */
async function emptyArchive(): Promise<string> {
  for (let at = 0; at < 20_000; at++) {
    const manifest = {
      ...{
        format: 'coffer-backup',
        formatVersion: FORMAT_VERSION,
        createdAt: '2026-11-23T00:00:00.000Z',
      },
      ...{ userId: 'usr_nobody', counts: {}, files: [], missing: [] },
      ...{ note: String(at).padStart(at % 300, '0') },
    }
    const body = (async function* () {
      yield new TextEncoder().encode(JSON.stringify(manifest))
    })()
    const members = (async function* () {
      yield { name: 'manifest.json', body }
    })()
    const pieces: Uint8Array[] = []
    for await (const piece of zip(members, Date.UTC(1980, 0, 1), () => undefined)) {
      pieces.push(piece)
    }
    const bytes = pieces.flatMap((piece) => [...piece])
    if (bytes.every((byte) => byte < 0x80)) {
      return String.fromCharCode(...bytes)
    }
  }
  throw new Error('no such archive is of ASCII alone')
}

/** The samples of the areas `backups` and `exports`. */
export async function samplesOfExports(
  me: TestUser,
  accountId: string,
): Promise<Record<string, Sample>> {
  const [kept, doomed] = [await dataExportOf(me), await dataExportOf(me)]
  for (const format of ['hledger', 'json']) {
    await ok(setExportSchedule, {
      as: me,
      path: { format },
      json: { every: 'week', day: 1, keep: 1 },
    })
  }
  const { id: upload } = await ok(createBackupUpload, {
    as: me,
    json: { size: 4, sha256: 'a'.repeat(64) },
  })
  const { id: doomedUpload } = await ok(createBackupUpload, {
    as: me,
    json: { size: 5, sha256: 'c'.repeat(64) },
  })
  const [backup, discarded] = [await backupOf(me), await backupOf(me)]
  return {
    listBackups: {},
    getBackup: { path: { id: backup } },
    downloadBackup: { path: { id: backup } },
    deleteBackup: { path: { id: discarded } },
    createBackup: {},
    createBackupUpload: { json: { size: 6_000_000, sha256: 'b'.repeat(64) } },
    deleteBackupUpload: { path: { id: doomedUpload } },
    putBackupUploadPart: { path: { id: upload, n: '1' }, bytes: 'part' },
    restoreBackup: { query: '?dryRun=true', bytes: await emptyArchive() },
    listRestores: {},
    getRestore: { path: { id: await restoreOf(me) } },
    listExportFormats: {},
    listExportSchedules: {},
    setExportSchedule: {
      path: { format: 'hledger' },
      json: { every: 'month', day: 1, keep: 3, scope: { accountId: [accountId] } },
    },
    deleteExportSchedule: { path: { format: 'json' } },
    listExports: {},
    getExport: { path: { id: kept } },
    downloadExport: { path: { id: kept } },
    deleteExport: { path: { id: doomed } },
    verifyBackup: { bytes: await emptyArchive() },
    createExport: { json: { format: 'csv', scope: { accountId: [accountId] } } },
  }
}
