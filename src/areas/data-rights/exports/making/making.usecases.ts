import { storePieces } from '../../../../platform/bucket.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { type Member, zip } from '../../../../platform/zip.ts'
import { insertNotifications } from '../../../identity/notifications/notifications.public.ts'
import { inOneState, keepScheduledExports, makeArchive } from '../../backups/backups.public.ts'
import { exportErrors } from '../exports.errors.ts'
import { userExportEvents } from '../exports.events.ts'
import type { StoredExport } from '../exports.queries.ts'
import { type ExportManifest, MOST_EXPORT_BYTES } from '../exports.rules.ts'
import { openSource, ownersOf, type Source } from './source.usecases.ts'
import { filesOf, type Written } from './writers.usecases.ts'

/** Makes the file of an export. */
export const makeDataExport = (ctx: Context, id: string, finish: Statement[]): Promise<void> =>
  makeArchive<ExportManifest>(ctx, id, finish, {
    kind: 'export',
    notFound: exportErrors.notFound,
    begun: userExportEvents.begun,
    made: (thing, { counts }) => userExportEvents.made(thing, { counts }),
    follow: (ctx, thing, scheduleId) => [
      keepScheduledExports(thing.ownerId, ctx.now),
      ...(scheduleId === null ? [] : [tellOf(ctx, thing, scheduleId)]),
    ],
    store: storeExport,
  })

/** Nobody waits for what a schedule had made, so its owner is told of it. */
const tellOf = (
  ctx: Context,
  { id, ownerId }: { id: string; ownerId: string },
  scheduleId: string,
): Statement =>
  insertNotifications([
    {
      ...{ id: freshId(ctx, 'ntf'), userId: ownerId, kind: 'exportMade' },
      ...{ resourceType: 'export', resourceId: id, facts: { scheduleId } },
      ...{ groupKey: `exportMade ${scheduleId}`, createdAt: ctx.now },
    },
  ])

async function storeExport(owner: SignedIn, key: string, filter: string | null) {
  const wish = JSON.parse(filter ?? '{}') as StoredExport
  const { views } = await openSource(owner, wish)
  return inOneState(owner, ownersOf({ owner, views }), async (pass) => {
    const source = await openSource(owner, wish)
    const files = filesOf(source)
    const [only] = files
    const manifest: ExportManifest = {
      changedMeanwhile: false,
      counts: source.counts,
      isArchive: files.length > 1,
    }
    const ended = async () => {
      manifest.changedMeanwhile = await pass.end()
    }
    const bytes =
      only && files.length === 1
        ? bytesOf(source, only, ended)
        : zip(membersOf(source, files, ended), STAMP, () => undefined)
    const storing = { maxBytes: MOST_EXPORT_BYTES, storageClass: 'Standard' as const }
    return { ...(await storePieces(owner, key, bytes, storing)), manifest }
  })
}

/** What the members of an archive are stamped with, so that equal data are equal archives: the first day that ZIP knows. */
const STAMP = Date.UTC(1980, 0, 1)

async function* membersOf(
  source: Source,
  files: Written[],
  ended: () => Promise<void>,
): AsyncGenerator<Member> {
  for (const [at, file] of files.entries()) {
    const isLast = at === files.length - 1
    yield { name: file.name, body: bytesOf(source, file, isLast ? ended : async () => undefined) }
  }
}

/** The number of characters that are encoded at a time. */
const CHARACTERS_AT_ONCE = 64 * 1024

async function* bytesOf(
  source: Source,
  { text }: Written,
  ended: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ''
  for await (const piece of text(source)) {
    waiting += piece
    if (waiting.length >= CHARACTERS_AT_ONCE) {
      yield encoder.encode(waiting)
      waiting = ''
    }
  }
  yield encoder.encode(waiting)
  await ended()
}
