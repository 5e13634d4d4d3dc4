import { answer } from '../../../../http/answer.ts'
import { fileRequest, hasBody, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  presentInspection,
  VerifyBackupQuery,
  BackupVerificationResponse,
} from './verifying.contract.ts'
import * as verifying from './verifying.usecases.ts'

export const verifyBackup = operation(
  'backups.write',
  {
    method: 'post',
    path: '/backup/verify',
    operationId: 'verifyBackup',
    summary: 'Verify a backup',
    tags: ['Backups'],
    request: { query: VerifyBackupQuery, ...fileRequest() },
    responses: { 200: json(BackupVerificationResponse, 'What the archive was found to be') },
  },
  (c) =>
    answer(c, 200, presentInspection, (ctx) =>
      verifying.verifyBackup(ctx, {
        ...c.req.valid('query'),
        ...{ sent: uploadOf(c), hasBody: hasBody(c) },
      }),
    ),
)
