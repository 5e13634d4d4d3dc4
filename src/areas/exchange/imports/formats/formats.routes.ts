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

export const listImportFormats = operation({
  access: 'imports.read',
  on: 'GET /import/format',
  summary: 'List formats that can be imported',
  responses: { 200: json(ImportFormatsResponse, 'Formats and built-in profiles') },
  run: (ctx) => checkAccess(ctx),
  present: presentFormats,
})

export const detectImportFile = operation({
  access: 'imports.write',
  on: 'POST /import/detect',
  summary: 'Detect the format of a file',
  request: fileRequest(),
  responses: { 200: json(DetectedImportFileResponse, 'What the file is; nothing is stored') },
  run: (ctx, { c }) => detection.detectImportFile(ctx, uploadOf(c)),
  present: presentDetected,
})
