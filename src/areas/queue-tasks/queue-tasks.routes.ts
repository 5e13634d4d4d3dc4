import { answer } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import {
  presentPurge,
  presentStatistics,
  presentTask,
  presentTasks,
} from './queue-tasks.presenters.ts'
import {
  MultipleTasksResponseDTO,
  PurgedTasksResponse,
  PurgeTasksRequest,
  QueueTasksQueryDTO,
  TaskResponse,
  TaskStatisticsResponse,
} from './queue-tasks.schemas.ts'
import {
  cancelTask,
  countTasks,
  findTask,
  findTasks,
  purgeTasks,
  retryTask,
} from './queue-tasks.usecases.ts'

export const queueTaskRoutes = newArea()

const params = pathId('tsk', 'task')

export const listAllQueueTasks = defineRoute('queueTasks.read', {
  method: 'post',
  path: '/admin/queue-tasks',
  operationId: 'listAllQueueTasks',
  summary: 'Tasks of everybody and of the service, found by what the body says',
  tags: ['Queue tasks'],
  request: jsonRequest(QueueTasksQueryDTO),
  responses: { 200: json(MultipleTasksResponseDTO, 'One page of them') },
})
queueTaskRoutes.openapi(listAllQueueTasks, (c) =>
  answer(c, 200, presentTasks, (ctx) => {
    const query = c.req.valid('json')
    const order = query.sort === 'createdAt' ? 'oldest' : 'newest'
    return paged(ctx, query, (page) => findTasks(ctx, query, page, order))
  }),
)

export const getQueueTaskStatistics = defineRoute('queueTasks.read', {
  method: 'get',
  path: '/admin/queue-tasks/statistics',
  operationId: 'getQueueTaskStatistics',
  summary: 'How many tasks there are by kind and state, and how long what is due has waited',
  tags: ['Queue tasks'],
  responses: { 200: json(TaskStatisticsResponse, 'The counts') },
})
queueTaskRoutes.openapi(getQueueTaskStatistics, (c) =>
  answer(c, 200, presentStatistics, countTasks),
)

export const purgeQueueTasks = defineRoute('queueTasks.write', {
  method: 'post',
  path: '/admin/queue-tasks/purge',
  operationId: 'purgeQueueTasks',
  summary: 'Delete tasks that ended some days ago, 5,000 at once',
  tags: ['Queue tasks'],
  request: jsonRequest(PurgeTasksRequest),
  responses: { 200: json(PurgedTasksResponse, 'How many are gone') },
})
queueTaskRoutes.openapi(purgeQueueTasks, (c) =>
  answer(c, 200, presentPurge, (ctx) => purgeTasks(ctx, c.req.valid('json'))),
)

export const getQueueTask = defineRoute('queueTasks.read', {
  method: 'get',
  path: '/admin/queue-tasks/{id}',
  operationId: 'getQueueTask',
  summary: 'One task with its attempts and its last error',
  tags: ['Queue tasks'],
  request: { params },
  responses: { 200: json(TaskResponse, 'The task') },
  errors: [404],
})
queueTaskRoutes.openapi(getQueueTask, (c) =>
  answer(c, 200, presentTask, (ctx) => findTask(ctx, c.req.valid('param').id)),
)

export const retryQueueTask = defineRoute('queueTasks.write', {
  method: 'post',
  path: '/admin/queue-tasks/{id}/retry',
  operationId: 'retryQueueTask',
  summary: 'Have a task that failed or was cancelled tried again now',
  tags: ['Queue tasks'],
  request: { params },
  responses: { 200: json(TaskResponse, 'The task, queued again') },
  errors: [404],
})
queueTaskRoutes.openapi(retryQueueTask, (c) =>
  answer(c, 200, presentTask, (ctx) => retryTask(ctx, c.req.valid('param').id)),
)

export const cancelQueueTask = defineRoute('queueTasks.write', {
  method: 'post',
  path: '/admin/queue-tasks/{id}/cancel',
  operationId: 'cancelQueueTask',
  summary: 'Cancel a task that waits, or ask one that runs to stop',
  tags: ['Queue tasks'],
  request: { params },
  responses: { 200: json(TaskResponse, 'The task: cancelled, or still running') },
  errors: [404],
})
queueTaskRoutes.openapi(cancelQueueTask, (c) =>
  answer(c, 200, presentTask, async (ctx) =>
    cancelTask(ctx, await findTask(ctx, c.req.valid('param').id)),
  ),
)
