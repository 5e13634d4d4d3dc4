import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  ParsedSearchResponse,
  ParseSearchRequest,
  presentParsed,
  presentSearch,
  SearchAllQuery,
  SearchResponse,
} from './search.contract.ts'
import * as search from './search.usecases.ts'

export const searchAll = operation({
  access: 'search.read',
  on: 'GET /search',
  summary: 'Search by words',
  request: { query: SearchAllQuery },
  responses: { 200: json(SearchResponse, 'What was found, by kind') },
  run: (ctx, { query }) => search.searchAll(ctx, query),
  present: presentSearch,
})

export const parseSearch = operation({
  access: 'search.read',
  on: 'POST /search/parse',
  summary: 'Convert a line of text into a condition',
  request: jsonRequest(ParseSearchRequest),
  responses: { 200: json(ParsedSearchResponse, 'The condition') },
  run: (ctx, { body }) => search.parseSearch(ctx, { q: body.q, isRule: body.for === 'rules' }),
  present: presentParsed,
})
