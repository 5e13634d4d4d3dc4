import { rows } from './api.ts'
import { send, type Sample } from './sample-parts.ts'
import type { TestUser } from './world.ts'

const FILE = 'Date,Payee,Amount\n2026-03-10,COFFEE,-3.00\n2026-03-11,TEA,-2.00\n'

/** The samples of the area `imports`. */
export async function samplesOfImports(
  me: TestUser,
  accountId: string,
): Promise<Record<string, Sample>> {
  let serial = 0
  const upload = async () => {
    const path = `/import?fileName=a.csv&accountId=${accountId}`
    const response = await send(me, 'POST', path, `${FILE}2026-03-12,CAKE,-${++serial}.50\n`)
    return (await response.json()) as { id: string }
  }
  const profile = async (name: string) => {
    const json = { name, format: 'csv', mapping: { dateOrder: 'DMY' }, shape: ['day', 'sum'] }
    const response = await send(me, 'POST', '/import-profile', json)
    return (await response.json()) as { id: string }
  }
  const open = await upload()
  const [booked, cancelled] = [await upload(), await upload()]
  const [deleted, replaced] = [await upload(), await upload()]
  const done = await upload()
  await rows("UPDATE imports SET state = 'done' WHERE id = ?", done.id)
  const own = await profile('My bank')
  const dropped = await profile('Other bank')
  const of = ({ id }: { id: string }, more: Omit<Sample, 'path'> = {}): Sample => ({
    path: { id },
    ...more,
  })
  const rowId = `irw_${open.id.slice(4)}_1`
  return {
    listImportFormats: {},
    detectImportFile: { bytes: FILE },
    listImports: { query: '?state=previewed' },
    createImport: { query: `?fileName=b.csv&accountId=${accountId}`, bytes: FILE },
    getImport: of(open),
    deleteImport: of(deleted),
    replaceImportFile: of(replaced, { bytes: `${FILE}2026-03-13,MILK,-1.00\n` }),
    downloadImportFile: of(open),
    setImportMapping: of(replaced, { json: { pending: 'import' } }),
    previewImport: of(open),
    getImportReport: of(open),
    getImportReportAsCsv: of(open),
    cancelImport: of(cancelled),
    commitImport: of(booked, { json: {} }),
    revertImport: of(done, { json: { dryRun: true } }),
    listImportRows: of(open, { query: '?verdict=new' }),
    updateImportRow: { path: { id: open.id, rowId }, json: { description: 'Breakfast' } },
    updateImportRows: of(open, { json: { filter: { text: 'tea' }, decision: 'skip' } }),
    listImportProfiles: {},
    createImportProfile: { json: { name: 'From a file', importId: open.id } },
    getImportProfile: of(own),
    updateImportProfile: of(own, { json: { name: 'Our bank' } }),
    deleteImportProfile: of(dropped),
  }
}
