import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  MultipleTasksResponseDTO,
  presentPurge,
  presentStatistics,
  presentTask,
  presentTasks,
  PurgedTasksResponse,
  PurgeTasksRequest,
  QueueTasksQueryDTO,
  TaskResponse,
  TaskStatisticsResponse,
} from './queue-tasks.contract.ts'
import * as queueTasks from './queue-tasks.usecases.ts'

const params = pathId('tsk', 'task')

export const listAllQueueTasks = operation({
  access: 'queueTasks.read',
  on: 'POST /admin/queue-tasks',
  summary: 'Search tasks',
  request: jsonRequest(QueueTasksQueryDTO),
  responses: { 200: json(MultipleTasksResponseDTO, 'One page of the list') },
  run: (ctx, { body }) => {
    const query = body
    const order = query.sort === 'createdAt' ? 'oldest' : 'newest'
    return paged(ctx, query, (page) => queueTasks.listAllQueueTasks(ctx, query, page, order))
  },
  present: presentTasks,
})

export const getQueueTaskStatistics = operation({
  access: 'queueTasks.read',
  on: 'GET /admin/queue-tasks/statistics',
  summary: 'Get task statistics',
  responses: { 200: json(TaskStatisticsResponse, 'The counts') },
  run: (ctx) => queueTasks.getQueueTaskStatistics(ctx),
  present: presentStatistics,
})

export const purgeQueueTasks = operation({
  access: 'queueTasks.write',
  on: 'POST /admin/queue-tasks/purge',
  summary: 'Purge old tasks',
  request: jsonRequest(PurgeTasksRequest),
  responses: { 200: json(PurgedTasksResponse, 'The number of deleted tasks') },
  run: (ctx, { body }) => queueTasks.purgeQueueTasks(ctx, body),
  present: presentPurge,
})

export const getQueueTask = operation({
  access: 'queueTasks.read',
  on: 'GET /admin/queue-tasks/{id}',
  summary: 'Get a task',
  request: { params },
  responses: { 200: json(TaskResponse, 'The task') },
  run: (ctx, { params }) => queueTasks.findTask(ctx, params.id),
  present: presentTask,
})

export const retryQueueTask = operation({
  access: 'queueTasks.write',
  on: 'POST /admin/queue-tasks/{id}/retry',
  summary: 'Retry a task',
  request: { params },
  responses: { 200: json(TaskResponse, 'The task, queued again') },
  run: (ctx, { params }) => queueTasks.retryQueueTask(ctx, params.id),
  present: presentTask,
})

export const cancelQueueTask = operation({
  access: 'queueTasks.write',
  on: 'POST /admin/queue-tasks/{id}/cancel',
  summary: 'Cancel a task',
  request: { params },
  responses: { 200: json(TaskResponse, 'The task: cancelled, or still running') },
  run: async (ctx, { params }) =>
    queueTasks.cancelTask(ctx, await queueTasks.findTask(ctx, params.id)),
  present: presentTask,
})
