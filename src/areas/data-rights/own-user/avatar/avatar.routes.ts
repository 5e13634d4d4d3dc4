import { answer } from '../../../../http/answer.ts'
import { versionTag } from '../../../../http/conditional.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { AvatarResponse, presentAvatar } from './avatar.contract.ts'
import * as avatar from './avatar.usecases.ts'

export const getAvatar = operation(
  'profile.read',
  {
    method: 'get',
    path: '/user/avatar',
    operationId: 'getAvatar',
    summary: 'Get the caller’s picture',
    tags: ['User'],
    responses: fileResponses,
    errors: [404, 416],
  },
  (c) =>
    answerFile(c, avatar.findAvatar, avatar.openAvatar, ({ version, sha256 }) =>
      versionTag(version, sha256),
    ),
)

export const setAvatar = operation(
  'profile.write',
  {
    method: 'put',
    path: '/user/avatar',
    operationId: 'setAvatar',
    summary: 'Set the caller’s picture',
    tags: ['User'],
    versioned: true,
    request: fileRequest(),
    responses: { 200: json(AvatarResponse, 'The details of the picture') },
  },
  (c) => answer(c, 200, presentAvatar, (ctx) => avatar.setAvatar(ctx, uploadOf(c))),
)

export const deleteAvatar = operation(
  'profile.write',
  {
    method: 'delete',
    path: '/user/avatar',
    operationId: 'deleteAvatar',
    summary: 'Remove the caller’s picture',
    tags: ['User'],
    versioned: true,
    responses: { 200: json(MessageResponse, 'The picture was removed') },
    errors: [404],
  },
  (c) => answer(c, 200, () => ({ message: 'The picture is gone.' }), avatar.deleteAvatar),
)
