import { answer, answerNothing } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  exportScheduleParams,
  ExportScheduleResponse,
  ExportSchedulesResponse,
  presentSchedule,
  presentSchedules,
  SetExportScheduleRequest,
} from './schedules.contract.ts'
import * as schedules from './schedules.usecases.ts'

export const listExportSchedules = operation(
  'exports.read',
  {
    method: 'get',
    path: '/export-schedule',
    operationId: 'listExportSchedules',
    summary: 'List own export schedules',
    tags: ['Exports'],
    responses: { 200: json(ExportSchedulesResponse, 'All schedules') },
  },
  (c) => answer(c, 200, presentSchedules, schedules.listExportSchedules),
)

export const setExportSchedule = operation(
  'exports.write',
  {
    method: 'put',
    path: '/export-schedule/{format}',
    operationId: 'setExportSchedule',
    summary: 'Set the export schedule of a format',
    tags: ['Exports'],
    versioned: true,
    request: { params: exportScheduleParams, ...jsonRequest(SetExportScheduleRequest) },
    responses: { 200: json(ExportScheduleResponse, 'The schedule as it is now') },
  },
  (c) =>
    answer(c, 200, presentSchedule, (ctx) =>
      schedules.setExportSchedule(ctx, c.req.valid('param').format, c.req.valid('json')),
    ),
)

export const deleteExportSchedule = operation(
  'exports.write',
  {
    method: 'delete',
    path: '/export-schedule/{format}',
    operationId: 'deleteExportSchedule',
    summary: 'Delete the export schedule of a format',
    tags: ['Exports'],
    versioned: true,
    request: { params: exportScheduleParams },
    responses: { 204: { description: 'The schedule was deleted' } },
    errors: [404],
  },
  (c) =>
    answerNothing(c, (ctx) => schedules.deleteExportSchedule(ctx, c.req.valid('param').format)),
)
