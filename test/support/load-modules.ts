// The first set-up of each project on plain Node. Node asks the hooks first that were registered last: these come before Vitest's own,
// which would send its main process a message about each import.
import './modules.ts'
