import type { Area } from '../../area.ts'
import { notificationMailsSweep } from './notifications.jobs.ts'
import * as notifications from './notifications.routes.ts'

export const notificationsArea: Area = {
  tag: 'Notifications',
  operations: [notifications],
  sweeps: [notificationMailsSweep],
}
