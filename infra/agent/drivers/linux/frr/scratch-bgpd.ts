import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireProgram } from '../programs.ts'
import { VtyClient } from './vty.ts'

/* A bgpd for trials: without privileges, kernel, zebra and ports. */

/** Ends it if this process is killed before it does. */
const LIMIT_S = 300
const POLL_MS = 10

/**
 * Starts a bgpd, with its socket in a new folder below `parent`, and ends it after `use`.
 *
 * @param use gets the path of its vty socket.
 */
export async function withScratchBgpd<T>(parent: string, use: (socket: string) => Promise<T>): Promise<T> {
  const [bgpd, timeout] = await Promise.all([requireProgram('bgpd'), requireProgram('timeout')])
  const folder = await mkdtemp(join(parent, 'bgpd-'))
  try {
    const config = join(folder, 'empty')
    await writeFile(config, '')
    const options = ['-Z', '-S', '-n', '-p', '0', '-P', '0', '--vty_socket', folder]
    const args = ['-s', 'KILL', String(LIMIT_S), bgpd, ...options, '-i', join(folder, 'pid'), '-f', config]
    const child = spawn(timeout, args, { stdio: 'ignore' })
    const ended = once(child, 'close')
    ended.catch(() => {}) // of a program that cannot be run
    try {
      const socket = join(folder, 'bgpd.vty')
      await waitForSocket(socket, ended)
      return await use(socket)
    } finally {
      child.kill('SIGTERM') // `timeout` passes it on
      await ended.catch(() => {})
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Resolves once a daemon listens at the socket; rejects when it has ended before. */
async function waitForSocket(path: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(
    () => (isOver = true),
    () => (isOver = true),
  )
  for (;;) {
    const client = await VtyClient.open(path).catch(() => null)
    if (client) return client.close()
    if (isOver) throw new Error(`no daemon listens at ${path}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
