import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CheckBalanceAssertionsRequest,
  BalanceAssertionChecksResponse,
  presentCheckedAssertions,
} from './checking.contract.ts'
import * as checking from './checking.usecases.ts'

export const checkBalanceAssertions = operation({
  access: 'balanceAssertions.read',
  on: 'POST /balance-assertion/check',
  summary: 'Check balance assertions',
  request: jsonRequest(CheckBalanceAssertionsRequest),
  responses: { 200: json(BalanceAssertionChecksResponse, 'What holds, and what does not') },
  run: (ctx, { body }) => checking.checkBalanceAssertions(ctx, body),
  present: presentCheckedAssertions,
})
