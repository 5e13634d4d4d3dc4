/** The development build as a process: what `npm run dev` starts, and starts anew when a source changes. */
import './dev-globals.ts'
import { existsSync, readFileSync } from 'node:fs'
import { run } from '../../src/hosts/node/run.ts'
import { ensureDemoData, greeting } from './demo-data.ts'
import { devFolder, inProject, MIGRATIONS } from './project.ts'

const SWAGGER_UI = '/swagger/assets/swagger-ui-dist/'
const CONTENT_TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript' }

/** The service serves its own Swagger UI: no browser has to reach a public network. */
function swaggerUi({ url }: Request): Response | undefined {
  const { pathname } = new URL(url)
  const [, name = '', kind = ''] =
    /^([\w-]+\.(css|js))$/.exec(pathname.replace(SWAGGER_UI, '')) ?? []
  const file = inProject('node_modules/swagger-ui-dist', name)
  return pathname.startsWith(SWAGGER_UI) && name !== '' && existsSync(file)
    ? new Response(readFileSync(file), {
        headers: { 'Content-Type': CONTENT_TYPES[kind] ?? '' },
      })
    : undefined
}

await run({
  data: devFolder(),
  migrations: MIGRATIONS,
  prepare: async (data) => {
    await ensureDemoData(data)
  },
  around: (fetch) => async (request, address) => swaggerUi(request) ?? fetch(request, address),
  onReady: (url) =>
    console.log(
      greeting(
        url,
        'Variables are read at the start: after a change of .env, stop it and start it again.',
      ),
    ),
})
