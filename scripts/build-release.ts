/** `npm run build`: writes the release bundle to dist/release and says what it costs. */
import { buildRelease, gzipKiB, startupMs } from './lib/release.ts'

const script = buildRelease()
console.log(`Release bundle: ${gzipKiB(script).toFixed(0)} KiB gzipped (dist/release)`)
console.log(`Start-up: ${startupMs().toFixed(0)} ms active`)
