import { accessSync, constants } from 'node:fs'

/** True if this process may run the program at the path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
