import type { Area } from '../../area.ts'
import * as queueTasks from './queue-tasks.routes.ts'

export const queueTasksArea: Area = { operations: [queueTasks] }
