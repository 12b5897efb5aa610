import { connect } from 'node:net'

/* Watches the port of the local service: Miniflare stays when workerd cannot be started again, as with a full disk. */

const EVERY_MS = 5_000
/** Time of refused connections after which the service counts as gone; a restart takes seconds. */
const GONE_MS = 90_000
const ANSWER_MS = 2_000
const STOP_MS = 15_000

/** Calls back once, when every connection was refused for a minute and a half. */
export function watchPort(isOpen: () => Promise<boolean>, onGone: () => void): { stop(): void } {
  let refusedSince: number | null = null
  let isOver = false
  const stop = () => {
    isOver = true
    clearInterval(timer)
  }
  const check = async () => {
    const now = Date.now()
    refusedSince = (await isOpen()) ? null : (refusedSince ?? now)
    if (isOver || refusedSince === null || now - refusedSince < GONE_MS) return
    stop()
    onGone()
  }
  const timer = setInterval(() => void check(), EVERY_MS)
  return { stop }
}

interface Process {
  print(line: string): void
  stop(exitCode: number): Promise<void>
  exit(exitCode: number): void
}

/** Ends a process whose service does not come back, with a sentence. Parts that cannot be stopped end with it. */
export function endWithoutService({ print, stop, exit }: Process): void {
  print(
    'The service has ended and cannot be started again; lines above may say why, such as a full disk. ' +
      'All data is kept: make room, then start it again.',
  )
  setTimeout(() => exit(1), STOP_MS).unref()
  void stop(1)
}

/** False where nobody listens; a connection that is neither refused nor accepted in time is a busy service. */
export function isPortOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_MS })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(true))
    socket.once('error', () => end(false))
  })
}
