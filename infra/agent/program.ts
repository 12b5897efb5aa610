import { basename } from 'node:path'

/** Command that started this program: from the repository, or as the file that was downloaded. */
export const PROGRAM =
  process.env['npm_lifecycle_event'] === 'agent' ? 'npm run agent --' : `node ${basename(process.argv[1] ?? 'agent')}`
