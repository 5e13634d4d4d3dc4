import { dataExportOf, type Sample } from './sample-parts.ts'
import type { TestUser } from './world.ts'

/** The samples of the area `exports`. */
export async function samplesOfExports(
  me: TestUser,
  accountId: string,
): Promise<Record<string, Sample>> {
  const [kept, doomed] = [await dataExportOf(me), await dataExportOf(me)]
  return {
    listExportFormats: {},
    listExports: {},
    getExport: { path: { id: kept } },
    downloadExport: { path: { id: kept } },
    deleteExport: { path: { id: doomed } },
    createExport: { json: { format: 'csv', scope: { accountId: [accountId] } } },
  }
}
