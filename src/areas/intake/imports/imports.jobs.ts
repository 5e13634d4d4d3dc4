import { defineJob, optional, payloadText } from '../../../platform/work/payloads.ts'
import { bookImport } from './booking/booking.usecases.ts'
import { COMMIT_IMPORT } from './booking/commit.usecases.ts'
import { expireImports } from './imports.usecases.ts'
import { readImport } from './reading/task.usecases.ts'
import { REVERT_IMPORT, takeBackImport } from './reverting/reverting.usecases.ts'
import { READ_IMPORT } from './upload/upload.usecases.ts'

export const readImportJob = defineJob({
  kind: READ_IMPORT,
  payload: { importId: payloadText, tokenHash: optional<string>(payloadText) },
  run: (ctx, { importId, tokenHash }, finish) => readImport(ctx, importId, finish, tokenHash),
})

export const commitImportJob = defineJob({
  kind: COMMIT_IMPORT,
  payload: { importId: payloadText, tokenHash: optional<string>(payloadText) },
  run: (ctx, { importId, tokenHash }, finish) => bookImport(ctx, importId, finish, tokenHash),
})

export const revertImportJob = defineJob({
  kind: REVERT_IMPORT,
  payload: { importId: payloadText, tokenHash: optional<string>(payloadText) },
  run: (ctx, { importId, tokenHash }, finish) => takeBackImport(ctx, importId, finish, tokenHash),
})

/** Erases, every night, files and rows of imports whose time is over. */
export const expireImportsJob = defineJob({
  kind: 'imports.expire',
  payload: {},
  run: (ctx, _payload, finish) => expireImports(ctx, finish),
})
