import type { Area } from '../../area.ts'
import * as queueTasks from './queue-tasks.routes.ts'

export const queueTasksArea: Area = { tag: 'Queue tasks', operations: [queueTasks] }
