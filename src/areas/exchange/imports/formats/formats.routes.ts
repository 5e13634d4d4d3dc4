import { answer } from '../../../../http/answer.ts'
import { fileRequest, uploadOf } from '../../../../http/files.ts'
import { json, operation } from '../../../../http/route.ts'
import { checkAccess } from '../../../../platform/database.ts'
import * as detection from './detection.usecases.ts'
import {
  DetectedImportFileResponse,
  ImportFormatsResponse,
  presentDetected,
  presentFormats,
} from './formats.contract.ts'

export const listImportFormats = operation(
  'imports.read',
  {
    method: 'get',
    path: '/import/format',
    operationId: 'listImportFormats',
    summary: 'List formats that can be imported',
    tags: ['Imports'],
    responses: { 200: json(ImportFormatsResponse, 'Formats and built-in profiles') },
  },
  (c) => answer(c, 200, presentFormats, checkAccess),
)

export const detectImportFile = operation(
  'imports.write',
  {
    method: 'post',
    path: '/import/detect',
    operationId: 'detectImportFile',
    summary: 'Detect the format of a file',
    tags: ['Imports'],
    request: fileRequest(),
    responses: { 200: json(DetectedImportFileResponse, 'What the file is; nothing is stored') },
  },
  (c) => answer(c, 200, presentDetected, (ctx) => detection.detectImportFile(ctx, uploadOf(c))),
)
