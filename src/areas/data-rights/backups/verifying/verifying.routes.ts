import { fileRequest, hasBody, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  presentInspection,
  VerifyBackupQuery,
  BackupVerificationResponse,
} from './verifying.contract.ts'
import * as verifying from './verifying.usecases.ts'

export const verifyBackup = operation({
  access: 'backups.write',
  on: 'POST /backup/verify',
  summary: 'Verify a backup',
  request: { query: VerifyBackupQuery, ...fileRequest() },
  responses: { 200: json(BackupVerificationResponse, 'What the archive was found to be') },
  run: (ctx, { query, c }) =>
    verifying.verifyBackup(ctx, {
      ...query,
      ...{ sent: uploadOf(c), hasBody: hasBody(c) },
    }),
  present: presentInspection,
})
