import { pathId } from '../../../http/fields.ts'
import type { z } from '@hono/zod-openapi'
import { cursorAfter, openCursor, paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  CreateRuleRequest,
  ListRulesQuery,
  presentRule,
  presentRules,
  ReorderRulesRequest,
  RuleResponse,
  RulesResponse,
  UpdateRuleRequest,
} from './rules.contract.ts'
import { presentRun, RuleRunResponse, RunRulesRequest } from './running/running.contract.ts'
import type { RuleRun } from './running/running.usecases.ts'
import * as running from './running/running.usecases.ts'
import * as rules from './rules.usecases.ts'
import {
  presentRuleSuggestions,
  RuleSuggestionsResponse,
} from './suggesting/suggesting.contract.ts'
import * as suggesting from './suggesting/suggesting.usecases.ts'

const ruleId = pathId('rul', 'rule')

export const listRules = operation({
  access: 'rules.read',
  on: 'GET /rule',
  summary: 'List own rules',
  request: { query: ListRulesQuery },
  responses: { 200: json(RulesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => rules.listRules(ctx, query, page)),
  present: presentRules,
})

export const reorderRules = operation({
  access: 'rules.write',
  on: 'POST /rule/reorder',
  summary: 'Set the order of all rules',
  request: jsonRequest(ReorderRulesRequest),
  responses: { 200: json(RulesResponse, 'The rules in their new order') },
  run: (ctx, { body }) => rules.reorderRules(ctx, body.ruleIds),
  present: presentRules,
})

export const createRule = operation({
  access: 'rules.write',
  on: 'POST /rule',
  summary: 'Create a rule',
  request: jsonRequest(CreateRuleRequest),
  responses: { 201: json(RuleResponse, 'The new rule') },
  run: (ctx, { body }) => rules.createRule(ctx, body),
  present: presentRule,
})

export const runRules = operation({
  access: 'transactions.write',
  on: 'POST /rule/run',
  summary: 'Apply rules to past transactions',
  request: jsonRequest(RunRulesRequest),
  responses: { 200: json(RuleRunResponse, 'The outcomes, also of a dry run') },
  errors: [404],
  run: (ctx, { body }) => {
    const after = body.cursor === undefined ? undefined : openCursor(ctx, pageOf(body), body.cursor)
    return running.runRules(ctx, body, { limit: running.MOST_LOOKED_AT, after })
  },
  // The next cursor is part of the answer that is kept for an Idempotency-Key.
  present: (run: RuleRun, ctx, { body }) =>
    presentRun(run, run.next && cursorAfter(ctx, pageOf(body), run.next)),
})

/** A cursor is bound to what selects the transactions. */
const pageOf = ({ ids, filter, cursor }: z.infer<typeof RunRulesRequest>) => ({
  ...{ ids, filter, cursor },
  limit: running.MOST_LOOKED_AT,
})

export const suggestRules = operation({
  access: 'rules.read',
  on: 'GET /rule/suggestion',
  summary: 'Suggest usual categories and rules',
  responses: { 200: json(RuleSuggestionsResponse, 'The suggestions') },
  run: (ctx) => suggesting.suggestRules(ctx),
  present: presentRuleSuggestions,
})

export const getRule = operation({
  access: 'rules.read',
  on: 'GET /rule/{id}',
  summary: 'Get a rule',
  request: { params: ruleId },
  responses: { 200: json(RuleResponse, 'The rule') },
  run: (ctx, { params }) => rules.getRule(ctx, params.id),
  present: presentRule,
})

export const updateRule = operation({
  access: 'rules.write',
  on: 'PUT /rule/{id}',
  summary: 'Update a rule',
  versioned: true,
  request: { params: ruleId, ...jsonRequest(UpdateRuleRequest) },
  responses: { 200: json(RuleResponse, 'The rule as it is now') },
  run: (ctx, { params, body }) => rules.updateRule(ctx, params.id, body),
  present: presentRule,
})

export const deleteRule = operation({
  access: 'rules.write',
  on: 'DELETE /rule/{id}',
  summary: 'Delete a rule',
  versioned: true,
  request: { params: ruleId },
  responses: { 200: json(TrashedResponse, 'The rule was deleted') },
  run: (ctx, { params }) => rules.deleteRule(ctx, params.id),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'rule', id: params.id }, 'The rule was deleted.'),
})
