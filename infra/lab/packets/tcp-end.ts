import { connect, createServer } from 'node:net'

/*
 * One end of a TCP connection, run at a host: `listen <port>` answers each connection with the number of bytes that came and
 * the longest time between two of them; `send <address> <port> <bytes> <marker>` sends, and prints that answer.
 */

const CONNECT_MS = 3_000
const CHUNK_BYTES = 65_536

const [mode, ...rest] = process.argv.slice(2)
if (mode === 'listen') listen(Number(rest[0]))
else send(rest[0] ?? '', Number(rest[1]), Number(rest[2]), rest[3] ?? '')

function listen(port: number): void {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let [bytes, longestMs, last] = [0, 0, performance.now()]
    socket.on('data', (chunk) => {
      const now = performance.now()
      longestMs = Math.max(longestMs, now - last)
      last = now
      bytes += chunk.length
    })
    socket.on('end', () => socket.end(JSON.stringify({ bytes, longestMs: Math.round(longestMs) })))
    socket.on('error', () => socket.destroy())
  })
  server.listen(port, () => process.stdout.write('ready\n'))
}

function send(host: string, port: number, total: number, marker: string): void {
  const socket = connect({ host, port })
  const fail = (reason: string) => {
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
  const timer = setTimeout(() => fail('no connection'), CONNECT_MS)
  let answer = ''
  socket.on('connect', () => {
    clearTimeout(timer)
    write(total)
  })
  const chunk = Buffer.alloc(CHUNK_BYTES, marker || 'x')
  const write = (left: number): void => {
    if (left <= 0) return void socket.end()
    const size = Math.min(left, CHUNK_BYTES)
    const goOn = () => write(left - size)
    if (socket.write(chunk.subarray(0, size))) setImmediate(goOn)
    else socket.once('drain', goOn)
  }
  socket.on('data', (part) => (answer += part.toString()))
  socket.on('close', () => process.stdout.write(`${answer}\n`))
  socket.on('error', (error) => fail(error.message))
}
