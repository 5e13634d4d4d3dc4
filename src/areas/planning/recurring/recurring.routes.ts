import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  CreatedTransactionsResponse,
  presentCreation,
} from '../../money/transactions/transactions.public.ts'
import {
  DismissRecurringRequest,
  ListRecurringMatchesQuery,
  presentMatches,
  RecurringMatchesResponse,
} from './linking/matches.contract.ts'
import * as matches from './linking/matches.usecases.ts'
import {
  ListOccurrencesQuery,
  occurrencePath,
  OccurrenceResponse,
  OccurrencesResponse,
  PostOccurrencesRequest,
  presentOccurrence,
  presentOccurrences,
  presentSchedule,
  PreviewScheduleRequest,
  ScheduledDatesResponse,
  UpdateOccurrenceRequest,
} from './occurrences/occurrences.contract.ts'
import * as occurrences from './occurrences/occurrences.usecases.ts'
import * as posting from './booking.usecases.ts'
import {
  ChangedRecurringResponse,
  CreateRecurringRequest,
  ListRecurringQuery,
  presentChanged,
  presentRecurring,
  presentRecurringItems,
  RecurringItemsResponse,
  RecurringResponse,
  UpdateRecurringRequest,
} from './recurring.contract.ts'
import * as recurring from './recurring.usecases.ts'
import * as updating from './updating.usecases.ts'
import {
  ListUpcomingQuery,
  presentUpcoming,
  UpcomingResponse,
} from './upcoming/upcoming.contract.ts'
import * as upcoming from './upcoming/upcoming.usecases.ts'
import { presentSuggestions, SuggestedRecurringResponse } from './suggesting/suggesting.contract.ts'
import * as suggesting from './suggesting/suggesting.usecases.ts'

const recurringId = pathId('rec', 'recurring item')

export const listRecurring = operation({
  access: 'recurring.read',
  on: 'GET /recurring',
  summary: 'List recurring items',
  request: { query: ListRecurringQuery },
  responses: { 200: json(RecurringItemsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => recurring.listRecurring(ctx, query, page)),
  present: presentRecurringItems,
})

export const createRecurring = operation({
  access: 'recurring.write',
  on: 'POST /recurring',
  summary: 'Create a recurring item',
  request: jsonRequest(CreateRecurringRequest),
  responses: { 201: json(RecurringResponse, 'The new item') },
  errors: [409],
  run: (ctx, { body }) => recurring.createRecurring(ctx, body),
  present: presentRecurring,
})

export const previewSchedule = operation({
  access: 'recurring.read',
  on: 'POST /recurring/preview',
  summary: 'Preview the dates of a schedule',
  request: jsonRequest(PreviewScheduleRequest),
  responses: { 200: json(ScheduledDatesResponse, 'The next occurrences') },
  run: (ctx, { body }) => occurrences.previewSchedule(ctx, body),
  present: presentSchedule,
})

export const listRecurringMatches = operation({
  access: 'recurring.read',
  on: 'GET /recurring/match',
  summary: 'List transactions that may be of occurrences',
  request: { query: ListRecurringMatchesQuery },
  responses: { 200: json(RecurringMatchesResponse, 'The most likely matches') },
  run: (ctx, { query }) => matches.listRecurringMatches(ctx, query),
  present: presentMatches,
})

export const dismissRecurring = operation({
  access: 'recurring.write',
  on: 'POST /recurring/dismiss',
  summary: 'Dismiss a match or a suggestion',
  request: jsonRequest(DismissRecurringRequest),
  responses: { 200: json(MessageResponse, 'It was dismissed') },
  errors: [404, 409],
  run: (ctx, { body }) => matches.dismissRecurring(ctx, body),
  present: () => ({ message: 'It was dismissed.' }),
})

export const postOccurrences = operation({
  access: 'recurring.write',
  on: 'POST /recurring/post',
  summary: 'Book occurrences and templates',
  request: jsonRequest(PostOccurrencesRequest),
  responses: { 200: json(CreatedTransactionsResponse, 'The outcome for each') },
  errors: [409],
  run: (ctx, { body }) => posting.postOccurrences(ctx, body),
  present: presentCreation,
})

export const getRecurring = operation({
  access: 'recurring.read',
  on: 'GET /recurring/{id}',
  summary: 'Get a recurring item',
  request: { params: recurringId },
  responses: { 200: json(RecurringResponse, 'The item') },
  run: (ctx, { params }) => recurring.getRecurring(ctx, params.id),
  present: presentRecurring,
})

export const updateRecurring = operation({
  access: 'recurring.write',
  on: 'PUT /recurring/{id}',
  summary: 'Update a recurring item',
  versioned: true,
  request: { params: recurringId, ...jsonRequest(UpdateRecurringRequest) },
  responses: {
    200: json(ChangedRecurringResponse, 'The item as it is now, or the one that goes on'),
  },
  errors: [409],
  run: (ctx, { params, body }) => updating.updateRecurring(ctx, params.id, body),
  present: presentChanged,
})

export const deleteRecurring = operation({
  access: 'recurring.write',
  on: 'DELETE /recurring/{id}',
  summary: 'Delete a recurring item',
  versioned: true,
  request: { params: recurringId },
  responses: { 200: json(TrashedResponse, 'The item was deleted') },
  run: (ctx, { params }) => recurring.deleteRecurring(ctx, params.id),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'recurring', id: params.id }, 'The recurring item was deleted.'),
})

export const listOccurrences = operation({
  access: 'recurring.read',
  on: 'GET /recurring/{id}/occurrence',
  summary: 'List occurrences',
  request: { params: recurringId, query: ListOccurrencesQuery },
  responses: { 200: json(OccurrencesResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => occurrences.listOccurrences(ctx, params.id, query, page)),
  present: presentOccurrences,
})

export const updateOccurrence = operation({
  access: 'recurring.write',
  on: 'PATCH /recurring/{id}/occurrence/{date}',
  summary: 'Update an occurrence',
  request: { params: occurrencePath, ...jsonRequest(UpdateOccurrenceRequest) },
  responses: { 200: json(OccurrenceResponse, 'The occurrence as it is now') },
  errors: [409],
  run: (ctx, { params, body }) => occurrences.updateOccurrence(ctx, params.id, params.date, body),
  present: presentOccurrence,
})

export const listUpcoming = operation({
  access: 'recurring.read',
  on: 'GET /recurring/upcoming',
  summary: 'List what is to come',
  request: { query: ListUpcomingQuery },
  responses: { 200: json(UpcomingResponse, 'The occurrences, and the balances of the account') },
  errors: [404],
  run: (ctx, { query }) => upcoming.listUpcoming(ctx, query),
  present: presentUpcoming,
})

export const suggestRecurring = operation({
  access: 'recurring.read',
  on: 'GET /recurring/suggestion',
  summary: 'Suggest recurring items',
  responses: { 200: json(SuggestedRecurringResponse, 'Items that transactions suggest') },
  run: (ctx) => suggesting.suggestRecurring(ctx),
  present: presentSuggestions,
})
