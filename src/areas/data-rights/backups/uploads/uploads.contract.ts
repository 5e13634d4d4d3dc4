import { z } from '@hono/zod-openapi'
import {
  id,
  idInPath,
  instant,
  integerField,
  textField,
  toInstant,
} from '../../../../http/fields.ts'
import { isWithin, must } from '../../../../http/issues.ts'
import type { UploadView } from './uploads.usecases.ts'
import { MOST_PARTS, UPLOAD_BYTES } from './uploads.rules.ts'

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const CreateBackupUploadRequest = z
  .strictObject({
    size: z
      .number()
      .int()
      .min(1)
      .max(UPLOAD_BYTES)
      .openapi({ description: 'Size of the whole archive in bytes.', example: 73_400_320 }),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .toLowerCase()
      .openapi({ description: 'SHA-256 of the whole archive.', example: SHA }),
  })
  .openapi('CreateBackupUploadRequest')

export const BackupUploadPartParams = z.object({
  id: idInPath('upl', 'Id of the upload.'),
  n: z
    .string()
    .refine(isWithin(1, MOST_PARTS), must(`must be between 1 and ${MOST_PARTS}`, 'range'))
    .transform(Number)
    .openapi({
      ...{ type: 'integer', minimum: 1, maximum: MOST_PARTS },
      ...{ description: 'Number of the part, from 1.', example: 1 },
    }),
})

export const BackupUploadResponse = z
  .object({
    id: id('upl', 'Id of the upload.'),
    size: integerField('Size of the whole archive, as declared.', 73_400_320),
    sha256: textField('SHA-256 of the whole archive, as declared.', SHA),
    received: integerField('Number of bytes in the parts that were stored.', 52_428_800),
    parts: z
      .array(
        z.object({
          number: integerField('Number of the part, from 1.', 1),
          size: integerField('Size of the part in bytes.', 52_428_800),
          sha256: textField('SHA-256 of the part.', SHA),
        }),
      )
      .openapi({ description: 'The parts that were stored, in order.' }),
    expiresAt: instant('Time at which it is deleted, unless it is used before.'),
    createdAt: instant('Time at which it began.'),
  })
  .openapi('BackupUploadResponse')

export const presentUpload = ({
  upload,
  parts,
}: UploadView): z.infer<typeof BackupUploadResponse> => ({
  id: upload.id,
  size: upload.size,
  sha256: upload.sha256,
  received: parts.reduce((bytes, { size }) => bytes + size, 0),
  parts: parts.map(({ number, size, sha256 }) => ({ number, size, sha256 })),
  expiresAt: toInstant(upload.expiresAt),
  createdAt: toInstant(upload.createdAt),
})
