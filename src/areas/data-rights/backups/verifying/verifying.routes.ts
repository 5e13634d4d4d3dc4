import { answer } from '../../../../http/answer.ts'
import { fileRequest, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentInspection, VerifyBackupResponse } from './verifying.contract.ts'
import * as verifying from './verifying.usecases.ts'

export const verifyBackup = operation(
  'backups.write',
  {
    method: 'post',
    path: '/backup/verify',
    operationId: 'verifyBackup',
    summary: 'Verify a backup',
    tags: ['Backups'],
    request: fileRequest(),
    responses: { 200: json(VerifyBackupResponse, 'What the archive was found to be') },
  },
  (c) => answer(c, 200, presentInspection, (ctx) => verifying.verifyBackup(ctx, uploadOf(c))),
)
