import { answer } from '../../../http/answer.ts'
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

export const listAllQueueTasks = operation(
  'queueTasks.read',
  {
    method: 'post',
    path: '/admin/queue-tasks',
    operationId: 'listAllQueueTasks',
    summary: 'Search tasks',
    tags: ['Queue tasks'],
    request: jsonRequest(QueueTasksQueryDTO),
    responses: { 200: json(MultipleTasksResponseDTO, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTasks, (ctx) => {
      const query = c.req.valid('json')
      const order = query.sort === 'createdAt' ? 'oldest' : 'newest'
      return paged(ctx, query, (page) => queueTasks.listAllQueueTasks(ctx, query, page, order))
    }),
)

export const getQueueTaskStatistics = operation(
  'queueTasks.read',
  {
    method: 'get',
    path: '/admin/queue-tasks/statistics',
    operationId: 'getQueueTaskStatistics',
    summary: 'Get task statistics',
    tags: ['Queue tasks'],
    responses: { 200: json(TaskStatisticsResponse, 'The counts') },
  },
  (c) => answer(c, 200, presentStatistics, queueTasks.getQueueTaskStatistics),
)

export const purgeQueueTasks = operation(
  'queueTasks.write',
  {
    method: 'post',
    path: '/admin/queue-tasks/purge',
    operationId: 'purgeQueueTasks',
    summary: 'Purge old tasks',
    tags: ['Queue tasks'],
    request: jsonRequest(PurgeTasksRequest),
    responses: { 200: json(PurgedTasksResponse, 'The number of deleted tasks') },
  },
  (c) =>
    answer(c, 200, presentPurge, (ctx) => queueTasks.purgeQueueTasks(ctx, c.req.valid('json'))),
)

export const getQueueTask = operation(
  'queueTasks.read',
  {
    method: 'get',
    path: '/admin/queue-tasks/{id}',
    operationId: 'getQueueTask',
    summary: 'Get a task',
    tags: ['Queue tasks'],
    request: { params },
    responses: { 200: json(TaskResponse, 'The task') },
  },
  (c) => answer(c, 200, presentTask, (ctx) => queueTasks.findTask(ctx, c.req.valid('param').id)),
)

export const retryQueueTask = operation(
  'queueTasks.write',
  {
    method: 'post',
    path: '/admin/queue-tasks/{id}/retry',
    operationId: 'retryQueueTask',
    summary: 'Retry a task',
    tags: ['Queue tasks'],
    request: { params },
    responses: { 200: json(TaskResponse, 'The task, queued again') },
  },
  (c) =>
    answer(c, 200, presentTask, (ctx) => queueTasks.retryQueueTask(ctx, c.req.valid('param').id)),
)

export const cancelQueueTask = operation(
  'queueTasks.write',
  {
    method: 'post',
    path: '/admin/queue-tasks/{id}/cancel',
    operationId: 'cancelQueueTask',
    summary: 'Cancel a task',
    tags: ['Queue tasks'],
    request: { params },
    responses: { 200: json(TaskResponse, 'The task: cancelled, or still running') },
  },
  (c) =>
    answer(c, 200, presentTask, async (ctx) =>
      queueTasks.cancelTask(ctx, await queueTasks.findTask(ctx, c.req.valid('param').id)),
    ),
)
