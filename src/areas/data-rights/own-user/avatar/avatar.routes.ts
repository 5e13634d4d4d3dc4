import { versionTag } from '../../../../http/conditional.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { AvatarResponse, presentAvatar } from './avatar.contract.ts'
import * as avatar from './avatar.usecases.ts'

export const getAvatar = operation(
  {
    access: 'profile.read',
    on: 'GET /user/avatar',
    summary: 'Get the caller’s picture',
    responses: fileResponses,
    errors: [404, 416],
  },
  (c) =>
    answerFile(c, avatar.findAvatar, avatar.openAvatar, ({ version, sha256 }) =>
      versionTag(version, sha256),
    ),
)

export const setAvatar = operation({
  access: 'profile.write',
  on: 'PUT /user/avatar',
  summary: 'Set the caller’s picture',
  versioned: true,
  request: fileRequest(),
  responses: { 200: json(AvatarResponse, 'The details of the picture') },
  run: (ctx, { c }) => avatar.setAvatar(ctx, uploadOf(c)),
  present: presentAvatar,
})

export const deleteAvatar = operation({
  access: 'profile.write',
  on: 'DELETE /user/avatar',
  summary: 'Remove the caller’s picture',
  versioned: true,
  responses: { 200: json(MessageResponse, 'The picture was removed') },
  errors: [404],
  run: (ctx) => avatar.deleteAvatar(ctx),
  present: () => ({ message: 'The picture is gone.' }),
})
