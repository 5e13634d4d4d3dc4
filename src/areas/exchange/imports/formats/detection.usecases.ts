import { dateInZone } from '../../../../domain/calendar.ts'
import { fileErrors } from '../../../../domain/bank-files/errors.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { checkAccess, read } from '../../../../platform/database.ts'
import { fileErrors as uploadErrors } from '../../../../platform/platform.errors.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/pauses.ts'
import { READ_AT_ONCE } from '../imports.rules.ts'
import { surveyFile } from '../reading/answers.usecases.ts'
import type { Surveyed } from '../reading/survey.usecases.ts'
import { byteWatcher } from '../upload/bytes.rules.ts'
import { fileIn } from '../upload/sources.usecases.ts'
import { makingIn, surroundings, surroundingsFrom } from '../upload/surroundings.usecases.ts'

/** The findings about a file that is not stored. */
export interface Detected {
  surveyed: Surveyed
  size: number
}

/** Takes bytes that are held in memory. */
async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw uploadErrors.truncated()
    })
    if (done) {
      return Buffer.concat(pieces)
    }
    size += value.byteLength
    if (size > READ_AT_ONCE.bytes) {
      await reader.cancel()
      throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
    }
    pieces.push(value)
  }
}

/** Tells what a file is, or its beginning, and keeps nothing of it. */
export async function detectImportFile(
  ctx: SignedIn,
  { body, length = 0 }: { body: ReadableStream<Uint8Array>; length?: number | undefined },
): Promise<Detected> {
  // It changes nothing, so it may run again.
  delete ctx.repeatable
  if (length > READ_AT_ONCE.bytes) {
    await checkAccess(ctx)
    throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
  }
  const { views, profiles, habits } = surroundingsFrom(...(await read(ctx, ...surroundings(ctx))))
  const bytes = await bytesOf(body)
  if (bytes.byteLength === 0) {
    throw fileErrors.empty()
  }
  const watcher = byteWatcher()
  watcher.take(bytes)
  const file = await fileIn(bytes, await runWithPauses(watcher.end(), pauseRegularly()))
  if (!file) {
    throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
  }
  const today = dateInZone(ctx.now, 'UTC')
  const wishes = {
    ...{ chosen: {}, accountId: '', views, profiles, profileId: null, habits, today },
    ...makingIn(ctx),
  }
  return {
    surveyed: await surveyFile(file, wishes),
    size: bytes.byteLength,
  }
}
