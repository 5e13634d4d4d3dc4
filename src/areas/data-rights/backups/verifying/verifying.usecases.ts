import { deleteFiles, readFile, storeFile } from '../../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { checkAccess, commit } from '../../../../platform/database.ts'
import { BrokenZip } from '../../../../platform/unzip.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { type Inspection, inspect } from './inspection.usecases.ts'
import { VERIFIED_BYTES } from './verifying.rules.ts'

/** An archive as it comes. */
interface Upload {
  body: ReadableStream<Uint8Array>
  length: number | undefined
}

/**
 * Compares an archive with what it says of itself. It is kept in the bucket meanwhile, where it can be read by ranges; what is left
 * of it when that is interrupted has no row that names it, and is swept.
 */
export async function verifyBackup(ctx: SignedIn, { body, length }: Upload): Promise<Inspection> {
  const { repeatable } = ctx
  delete ctx.repeatable
  await checkAccess(ctx)
  if (ctx.caller.token?.accountIds) {
    throw backupErrors.tokenIsRestricted()
  }
  const key = `archives/${freshId(ctx, 'obj')}`
  const storing = { maxBytes: VERIFIED_BYTES, storageClass: 'Standard' as const, length }
  const { size, sha256 } = await storeFile(ctx, key, body, storing)
  const inspection = await inspectStored(ctx, key, size)
  if (repeatable) {
    // The key stands for the bytes, too.
    ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${sha256}` }
  }
  const { contentHash, faultCount } = inspection
  return commit(ctx, {
    changes: [
      {
        statements: [],
        events: [backupEvents.verified({ id: null }, { contentHash, faultCount })],
      },
    ],
    result: inspection,
  })
}

async function inspectStored(ctx: SignedIn, key: string, size: number): Promise<Inspection> {
  try {
    return await inspect(async (offset, length) => {
      const part = await readFile(ctx, key, { offset, length })
      if (!part) {
        throw new BrokenZip('It ends too early.')
      }
      return part
    }, size)
  } finally {
    await deleteFiles(ctx, [key])
  }
}
