import { answerNothing } from '../../../../http/answer.ts'
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

export const listExportSchedules = operation({
  access: 'exports.read',
  on: 'GET /export-schedule',
  summary: 'List own export schedules',
  responses: { 200: json(ExportSchedulesResponse, 'All schedules') },
  run: (ctx) => schedules.listExportSchedules(ctx),
  present: presentSchedules,
})

export const setExportSchedule = operation({
  access: 'exports.write',
  on: 'PUT /export-schedule/{format}',
  summary: 'Set the export schedule of a format',
  versioned: true,
  request: { params: exportScheduleParams, ...jsonRequest(SetExportScheduleRequest) },
  responses: { 200: json(ExportScheduleResponse, 'The schedule as it is now') },
  run: (ctx, { params, body }) => schedules.setExportSchedule(ctx, params.format, body),
  present: presentSchedule,
})

export const deleteExportSchedule = operation(
  {
    access: 'exports.write',
    on: 'DELETE /export-schedule/{format}',
    summary: 'Delete the export schedule of a format',
    versioned: true,
    request: { params: exportScheduleParams },
    responses: { 204: { description: 'The schedule was deleted' } },
    errors: [404],
  },
  (c) =>
    answerNothing(c, (ctx) => schedules.deleteExportSchedule(ctx, c.req.valid('param').format)),
)
