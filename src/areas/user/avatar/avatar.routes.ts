import { answer } from '../../../http/answer.ts'
import { versionTag } from '../../../http/conditional.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, uploadOf } from '../../../http/files.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentAvatar } from './avatar.presenters.ts'
import { AvatarResponse } from './avatar.schemas.ts'
import { changeAvatar, findAvatar, openAvatar, removeAvatar } from './avatar.usecases.ts'

export const avatarRoutes = newArea()

export const getAvatar = defineRoute('profile.read', {
  method: 'get',
  path: '/user/avatar',
  operationId: 'getAvatar',
  summary: 'The own picture',
  tags: ['User'],
  responses: fileResponses,
  errors: [404, 416],
})
avatarRoutes.openapi(getAvatar, (c) =>
  answerFile(c, findAvatar, openAvatar, ({ version, sha256 }) => versionTag(version, sha256)),
)

export const putAvatar = defineRoute('profile.write', {
  method: 'put',
  path: '/user/avatar',
  operationId: 'setAvatar',
  summary: 'Set the own picture: PNG, JPEG or WebP of at most 512 KiB',
  tags: ['User'],
  versioned: true,
  request: fileRequest(),
  responses: { 200: json(AvatarResponse, 'What is known of it') },
})
avatarRoutes.openapi(putAvatar, (c) =>
  answer(c, 200, presentAvatar, (ctx) => changeAvatar(ctx, uploadOf(c))),
)

export const deleteAvatar = defineRoute('profile.write', {
  method: 'delete',
  path: '/user/avatar',
  operationId: 'deleteAvatar',
  summary: 'Remove the own picture',
  tags: ['User'],
  versioned: true,
  responses: { 200: json(MessageResponse, 'It is gone') },
  errors: [404],
})
avatarRoutes.openapi(deleteAvatar, (c) =>
  answer(c, 200, () => ({ message: 'The picture is gone.' }), removeAvatar),
)
