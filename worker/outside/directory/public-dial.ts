import { failDirectory } from './failure.ts'
import type { Dial } from './pipe.ts'

/** Dial of public mode. */
export const createPublicDial = (env: Env): Dial => {
  void env
  return async () => failDirectory('unreachable')
}
