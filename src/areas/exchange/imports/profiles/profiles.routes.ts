import { answer, answerNothing } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CreateImportProfileRequest,
  ImportProfileResponse,
  ListImportProfilesQuery,
  ImportProfilesResponse,
  presentProfile,
  presentProfiles,
  UpdateImportProfileRequest,
} from './profiles.contract.ts'
import * as profiles from './profiles.usecases.ts'

const profileId = pathId('ipr', 'import profile')

export const listImportProfiles = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import-profile',
    operationId: 'listImportProfiles',
    summary: 'List import profiles',
    tags: ['Imports'],
    request: { query: ListImportProfilesQuery },
    responses: { 200: json(ImportProfilesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentProfiles, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => profiles.listImportProfiles(ctx, page)),
    ),
)

export const createImportProfile = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import-profile',
    operationId: 'createImportProfile',
    summary: 'Create an import profile',
    tags: ['Imports'],
    request: jsonRequest(CreateImportProfileRequest),
    responses: { 201: json(ImportProfileResponse, 'The new profile') },
  },
  (c) =>
    answer(c, 201, presentProfile, (ctx) => profiles.createImportProfile(ctx, c.req.valid('json'))),
)

export const getImportProfile = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import-profile/{id}',
    operationId: 'getImportProfile',
    summary: 'Get an import profile',
    tags: ['Imports'],
    request: { params: profileId },
    responses: { 200: json(ImportProfileResponse, 'The profile') },
  },
  (c) =>
    answer(c, 200, presentProfile, (ctx) =>
      profiles.getImportProfile(ctx, c.req.valid('param').id),
    ),
)

export const updateImportProfile = operation(
  'imports.write',
  {
    method: 'put',
    path: '/import-profile/{id}',
    operationId: 'updateImportProfile',
    summary: 'Change an import profile',
    tags: ['Imports'],
    versioned: true,
    request: { params: profileId, ...jsonRequest(UpdateImportProfileRequest) },
    responses: { 200: json(ImportProfileResponse, 'The profile') },
  },
  (c) =>
    answer(c, 200, presentProfile, (ctx) =>
      profiles.updateImportProfile(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteImportProfile = operation(
  'imports.write',
  {
    method: 'delete',
    path: '/import-profile/{id}',
    operationId: 'deleteImportProfile',
    summary: 'Delete an import profile',
    tags: ['Imports'],
    versioned: true,
    request: { params: profileId },
    responses: { 204: { description: 'The profile was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => profiles.deleteImportProfile(ctx, c.req.valid('param').id)),
)
