import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Ends a process that a test has started, unless it has ended by itself. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
