import { z } from '@hono/zod-openapi'
import { instant, textField, toInstant, integerField } from '../../../../http/fields.ts'
import type { AvatarRow } from './avatar.queries.ts'

export const AvatarResponse = z
  .object({
    contentType: textField('As its bytes say.', 'image/png'),
    size: integerField('In bytes.', 48_213),
    sha256: textField('Hexadecimal.', '9f86d081884c7d659a2feaa0c55ad015…'),
    version: integerField('Grows by one with every picture; see If-Match.', 1),
    updatedAt: instant('When it was uploaded.'),
  })
  .openapi('AvatarResponse')

export const presentAvatar = (row: AvatarRow): z.infer<typeof AvatarResponse> => ({
  contentType: row.contentType,
  size: row.size,
  sha256: row.sha256,
  version: row.version,
  updatedAt: toInstant(row.updatedAt),
})
