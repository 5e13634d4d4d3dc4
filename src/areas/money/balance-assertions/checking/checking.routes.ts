import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CheckBalanceAssertionsRequest,
  BalanceAssertionChecksResponse,
  presentCheckedAssertions,
} from './checking.contract.ts'
import * as checking from './checking.usecases.ts'

export const checkBalanceAssertions = operation(
  'balanceAssertions.read',
  {
    method: 'post',
    path: '/balance-assertion/check',
    operationId: 'checkBalanceAssertions',
    summary: 'Check balance assertions',
    tags: ['Balance assertions'],
    request: jsonRequest(CheckBalanceAssertionsRequest),
    responses: { 200: json(BalanceAssertionChecksResponse, 'What holds, and what does not') },
  },
  (c) =>
    answer(c, 200, presentCheckedAssertions, (ctx) =>
      checking.checkBalanceAssertions(ctx, c.req.valid('json')),
    ),
)
