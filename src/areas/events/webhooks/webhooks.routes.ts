import { z } from '@hono/zod-openapi'
import { idInPath, MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateWebhookRequest,
  DeliveriesResponse,
  DeliveryResponse,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  presentDeliveries,
  presentDelivery,
  presentRevealedWebhook,
  presentWebhook,
  presentWebhooks,
  RevealedWebhookResponse,
  UpdateWebhookRequest,
  WebhookResponse,
  WebhooksResponse,
  WebhookTestResponse,
} from './webhooks.contract.ts'
import * as deliveries from './deliveries.usecases.ts'
import * as webhooks from './webhooks.usecases.ts'

const webhookId = pathId('whk', 'webhook')

export const listWebhooks = operation({
  access: 'webhooks.read',
  on: 'GET /webhook',
  summary: 'List webhooks',
  request: { query: ListWebhooksQuery },
  responses: { 200: json(WebhooksResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => webhooks.listWebhooks(ctx, page)),
  present: presentWebhooks,
})

export const createWebhook = operation({
  access: 'webhooks.write',
  on: 'POST /webhook',
  summary: 'Create a webhook',
  request: jsonRequest(CreateWebhookRequest),
  responses: { 201: json(RevealedWebhookResponse, 'The new webhook, with its secret') },
  errors: [409],
  run: (ctx, { body }) => webhooks.createWebhook(ctx, body),
  present: presentRevealedWebhook,
})

export const getWebhook = operation({
  access: 'webhooks.read',
  on: 'GET /webhook/{id}',
  summary: 'Get a webhook',
  request: { params: webhookId },
  responses: { 200: json(WebhookResponse, 'The webhook') },
  run: (ctx, { params }) => webhooks.getWebhook(ctx, params.id),
  present: presentWebhook,
})

export const updateWebhook = operation({
  access: 'webhooks.write',
  on: 'PUT /webhook/{id}',
  summary: 'Update a webhook or replace its secret',
  versioned: true,
  request: { params: webhookId, ...jsonRequest(UpdateWebhookRequest) },
  responses: { 200: json(RevealedWebhookResponse, 'The webhook as it is now') },
  errors: [409],
  run: (ctx, { params, body }) => webhooks.updateWebhook(ctx, params.id, body),
  present: presentRevealedWebhook,
})

export const deleteWebhook = operation({
  access: 'webhooks.write',
  on: 'DELETE /webhook/{id}',
  summary: 'Delete a webhook',
  versioned: true,
  request: { params: webhookId },
  responses: { 200: json(MessageResponse, 'The webhook was deleted') },
  run: (ctx, { params }) => webhooks.deleteWebhook(ctx, params.id),
  present: () => ({ message: 'The webhook was deleted.' }),
})

export const testWebhook = operation({
  access: 'webhooks.write',
  on: 'POST /webhook/{id}/test',
  summary: 'Test a webhook',
  request: { params: webhookId },
  responses: { 200: json(WebhookTestResponse, 'The answer of the receiver') },
  run: (ctx, { params }) => deliveries.testWebhook(ctx, params.id),
  present: (tested) => tested,
})

export const listDeliveries = operation({
  access: 'webhooks.read',
  on: 'GET /webhook/{id}/delivery',
  summary: 'List deliveries of a webhook',
  request: { params: webhookId, query: ListDeliveriesQuery },
  responses: { 200: json(DeliveriesResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, { ...query, webhookId: params.id }, (page) =>
      deliveries.listDeliveries(ctx, params.id, { state: query.state, page }),
    ),
  present: presentDeliveries,
})

const deliveryPath = z.object({
  id: idInPath('whk', 'Id of the webhook.'),
  sequence: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a delivery, such as 17')
    .transform(Number)
    .openapi({ type: 'integer', description: 'Number of the delivery.', example: 17 }),
})

export const retryDelivery = operation({
  access: 'webhooks.write',
  on: 'POST /webhook/{id}/delivery/{sequence}/retry',
  summary: 'Retry a delivery of a webhook',
  request: { params: deliveryPath },
  responses: { 200: json(DeliveryResponse, 'The delivery, which is queued') },
  errors: [409],
  run: (ctx, { params }) => deliveries.retryDelivery(ctx, params.id, params.sequence),
  present: presentDelivery,
})
