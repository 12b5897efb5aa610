import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { NETWORK_TOOLS } from '#infra/local/network-tools.ts'

/** Reply of bgpd to a line: 0 done, 1 warning, 2 unknown command, 13 refused. */
export interface Answer {
  readonly line: string
  readonly code: number
  readonly text: string
}

/**
 * Loads a configuration into a bgpd of its own, without privileges, kernel, zebra or port, and answers what it did not
 * accept and how it understood the rest.
 */
export async function loadIntoBgpd(folder: string, text: string): Promise<{ refused: Answer[]; running: string }> {
  await writeFile(join(folder, 'empty'), '')
  const options = ['-Z', '-S', '-n', '-p', '0', '-P', '0', '--vty_socket', folder]
  const child = spawn(NETWORK_TOOLS.bgpd, [...options, '-i', join(folder, 'pid'), '-f', join(folder, 'empty')], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    const socket = await open(join(folder, 'bgpd.vty'), ended)
    const refused: Answer[] = []
    for (const line of ['enable', 'configure terminal', ...text.split('\n').filter(Boolean)]) {
      const answer = await ask(socket, line)
      if (answer.code !== 0) refused.push(answer)
    }
    await ask(socket, 'end')
    const running = await ask(socket, 'show running-config')
    socket.destroy()
    return { refused, running: running.text }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** The socket is there once the daemon has started. */
async function open(path: string, ended: Promise<unknown>): Promise<Socket> {
  let over = false
  void ended.then(() => (over = true))
  for (;;) {
    const socket = connect(path)
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
    if (over) throw new Error('bgpd ended')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** An answer is its text, three zero bytes and the code. */
function ask(socket: Socket, line: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0)
    const onData = (data: Buffer) => {
      got = Buffer.concat([got, data])
      if (got.length < 4 || !got.subarray(-4, -1).equals(Buffer.alloc(3))) return
      socket.off('data', onData).off('error', reject).off('close', onClose)
      resolve({ line, code: got.at(-1) ?? -1, text: got.subarray(0, -4).toString() })
    }
    const onClose = () => reject(new Error(`bgpd closed at: ${line}`))
    socket.on('data', onData).once('error', reject).once('close', onClose)
    socket.write(`${line}\0`)
  })
}
