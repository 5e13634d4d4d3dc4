import { answerNothing } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CreateImportProfileRequest,
  ImportProfileResponse,
  ListImportProfilesQuery,
  ImportProfilesResponse,
  presentImportProfile,
  presentProfiles,
  UpdateImportProfileRequest,
} from './profiles.contract.ts'
import * as profiles from './profiles.usecases.ts'

const profileId = pathId('ipr', 'import profile')

export const listImportProfiles = operation({
  access: 'imports.read',
  on: 'GET /import-profile',
  summary: 'List import profiles',
  request: { query: ListImportProfilesQuery },
  responses: { 200: json(ImportProfilesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => profiles.listImportProfiles(ctx, page)),
  present: presentProfiles,
})

export const createImportProfile = operation({
  access: 'imports.write',
  on: 'POST /import-profile',
  summary: 'Create an import profile',
  request: jsonRequest(CreateImportProfileRequest),
  responses: { 201: json(ImportProfileResponse, 'The new profile') },
  run: (ctx, { body }) => profiles.createImportProfile(ctx, body),
  present: presentImportProfile,
})

export const getImportProfile = operation({
  access: 'imports.read',
  on: 'GET /import-profile/{id}',
  summary: 'Get an import profile',
  request: { params: profileId },
  responses: { 200: json(ImportProfileResponse, 'The profile') },
  run: (ctx, { params }) => profiles.getImportProfile(ctx, params.id),
  present: presentImportProfile,
})

export const updateImportProfile = operation({
  access: 'imports.write',
  on: 'PUT /import-profile/{id}',
  summary: 'Change an import profile',
  versioned: true,
  request: { params: profileId, ...jsonRequest(UpdateImportProfileRequest) },
  responses: { 200: json(ImportProfileResponse, 'The profile') },
  run: (ctx, { params, body }) => profiles.updateImportProfile(ctx, params.id, body),
  present: presentImportProfile,
})

export const deleteImportProfile = operation(
  {
    access: 'imports.write',
    on: 'DELETE /import-profile/{id}',
    summary: 'Delete an import profile',
    versioned: true,
    request: { params: profileId },
    responses: { 204: { description: 'The profile was deleted' } },
  },
  (c) => answerNothing(c, (ctx) => profiles.deleteImportProfile(ctx, c.req.valid('param').id)),
)
