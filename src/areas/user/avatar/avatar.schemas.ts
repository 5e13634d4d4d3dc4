import { z } from '@hono/zod-openapi'
import { instant, output, whole } from '../../../http/fields.ts'

export const AvatarResponse = z
  .object({
    contentType: output('As its bytes say.', 'image/png'),
    size: whole('In bytes.', 48_213),
    sha256: output('Hexadecimal.', '9f86d081884c7d659a2feaa0c55ad015…'),
    version: whole('Grows by one with every picture; see If-Match.', 1),
    updatedAt: instant('When it was uploaded.'),
  })
  .openapi('AvatarResponse')
