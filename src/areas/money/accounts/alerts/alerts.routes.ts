import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { accountId } from '../accounts.contract.ts'
import {
  AccountAlertResponse,
  presentAccountAlert,
  SetAccountAlertRequest,
} from './alerts.contract.ts'
import * as alerts from './alerts.usecases.ts'

export const getAccountAlert = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/alert',
  summary: 'Get the own alert for an account',
  request: { params: accountId },
  responses: { 200: json(AccountAlertResponse, 'The alert; without limits if there is none') },
  run: (ctx, { params }) => alerts.getAccountAlert(ctx, params.id),
  present: presentAccountAlert,
})

export const setAccountAlert = operation({
  access: 'accounts.read',
  on: 'PUT /account/{id}/alert',
  summary: 'Set the own alert for an account',
  request: { params: accountId, ...jsonRequest(SetAccountAlertRequest) },
  responses: { 200: json(AccountAlertResponse, 'The alert as it is now') },
  run: (ctx, { params, body }) => alerts.setAccountAlert(ctx, params.id, body),
  present: presentAccountAlert,
})
