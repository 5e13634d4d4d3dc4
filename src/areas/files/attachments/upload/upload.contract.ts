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
      'The group that it is for: its members see it, and its quota counts.',
    ).optional(),
    linkKind: linkKind.optional(),
    linkId: targetId.optional(),
  })
  .refine(({ linkKind: kind, linkId }) => (kind === undefined) === (linkId === undefined), {
    ...must('goes together with linkKind', 'combination'),
    path: ['linkId'],
  })
