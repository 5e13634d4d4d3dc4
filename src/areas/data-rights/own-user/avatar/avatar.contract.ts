import { z } from '@hono/zod-openapi'
import { instant, textField, toInstant, integerField } from '../../../../http/fields.ts'
import type { AvatarRow } from './avatar.queries.ts'

export const AvatarResponse = z
  .object({
    contentType: textField('Media type, detected from the content.', 'image/png'),
    size: integerField('Size in bytes.', 48_213),
    sha256: textField('Hexadecimal SHA-256 of the content.', '9f86d081884c7d659a2feaa0c55ad015…'),
    version: integerField('Version number, raised by one with every picture. See If-Match.', 1),
    updatedAt: instant('Time of the upload.'),
  })
  .openapi('AvatarResponse')

export const presentAvatar = (row: AvatarRow): z.infer<typeof AvatarResponse> => ({
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  version: row.version,
  updatedAt: toInstant(row.updatedAt),
})
