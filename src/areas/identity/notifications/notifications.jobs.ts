import type { Sweep } from '../../../platform/work/tasks.ts'
import { mailNotifications } from './notifications.usecases.ts'

export const notificationMailsSweep: Sweep = mailNotifications
