import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  ListNotificationsQuery,
  notificationId,
  NotificationResponse,
  NotificationsResponse,
  presentNotification,
  presentNotifications,
  ReadNotificationsRequest,
  NotificationsReadResponse,
  UpdateNotificationRequest,
} from './notifications.contract.ts'
import * as notifications from './notifications.usecases.ts'

export const listNotifications = operation({
  access: 'notifications.read',
  on: 'GET /notification',
  summary: 'List notifications',
  request: { query: ListNotificationsQuery },
  responses: { 200: json(NotificationsResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => notifications.listNotifications(ctx, query, page)),
  present: presentNotifications,
})

export const updateNotification = operation({
  access: 'notifications.write',
  on: 'PATCH /notification/{id}',
  summary: 'Update a notification',
  request: { params: notificationId, ...jsonRequest(UpdateNotificationRequest) },
  responses: { 200: json(NotificationResponse, 'The notification as it is now') },
  run: (ctx, { params, body }) => notifications.updateNotification(ctx, params.id, body),
  present: presentNotification,
})

export const readNotifications = operation({
  access: 'notifications.write',
  on: 'POST /notification/read',
  summary: 'Mark notifications as read',
  request: jsonRequest(ReadNotificationsRequest),
  responses: { 200: json(NotificationsReadResponse, 'How many were unread') },
  run: (ctx, { body }) => notifications.readNotifications(ctx, body),
  present: (result) => result,
})
