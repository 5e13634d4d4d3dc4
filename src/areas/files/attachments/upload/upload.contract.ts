import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import {
  fileNameInput,
  linkKind,
  noteInput,
  targetId,
  titleInput,
} from '../attachments.contract.ts'

export const CreateAttachmentQuery = z
  .strictObject({
    fileName: fileNameInput,
    title: titleInput.optional(),
    note: noteInput.optional(),
    groupId: idInput(
      'grp',
      'Group to upload for. Its members see the file, and its quota is used.',
    ).optional(),
    linkKind: linkKind.optional(),
    linkId: targetId.optional(),
  })
  .refine(({ linkKind: kind, linkId }) => (kind === undefined) === (linkId === undefined), {
    ...must('and linkKind must be sent together, or neither of them', 'combination'),
    path: ['linkId'],
  })
