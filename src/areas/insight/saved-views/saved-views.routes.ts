import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateSavedViewRequest,
  ListSavedViewsQuery,
  presentSavedView,
  presentSavedViews,
  SavedViewResponse,
  SavedViewsResponse,
  UpdateSavedViewRequest,
} from './saved-views.contract.ts'
import * as savedViews from './saved-views.usecases.ts'

const savedViewId = pathId('svw', 'saved view')

export const listSavedViews = operation({
  access: 'savedViews.read',
  on: 'GET /saved-view',
  summary: 'List saved views',
  request: { query: ListSavedViewsQuery },
  responses: { 200: json(SavedViewsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => savedViews.listSavedViews(ctx, query, page)),
  present: presentSavedViews,
})

export const createSavedView = operation({
  access: 'savedViews.write',
  on: 'POST /saved-view',
  summary: 'Create a saved view',
  request: jsonRequest(CreateSavedViewRequest),
  responses: { 201: json(SavedViewResponse, 'The new view') },
  errors: [409],
  run: (ctx, { body }) => savedViews.createSavedView(ctx, body),
  present: presentSavedView,
})

export const getSavedView = operation({
  access: 'savedViews.read',
  on: 'GET /saved-view/{id}',
  summary: 'Get a saved view',
  request: { params: savedViewId },
  responses: { 200: json(SavedViewResponse, 'The view') },
  run: (ctx, { params }) => savedViews.getSavedView(ctx, params.id),
  present: presentSavedView,
})

export const updateSavedView = operation({
  access: 'savedViews.write',
  on: 'PUT /saved-view/{id}',
  summary: 'Update a saved view',
  versioned: true,
  request: { params: savedViewId, ...jsonRequest(UpdateSavedViewRequest) },
  responses: { 200: json(SavedViewResponse, 'The view as it is now') },
  run: (ctx, { params, body }) => savedViews.updateSavedView(ctx, params.id, body),
  present: presentSavedView,
})

export const deleteSavedView = operation({
  access: 'savedViews.write',
  on: 'DELETE /saved-view/{id}',
  summary: 'Delete a saved view',
  versioned: true,
  request: { params: savedViewId },
  responses: { 200: json(MessageResponse, 'The view was deleted') },
  run: (ctx, { params }) => savedViews.deleteSavedView(ctx, params.id),
  present: () => ({ message: 'The view was deleted.' }),
})
