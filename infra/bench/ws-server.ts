import { WebSocketServer } from 'ws'

/** Minimal fan-out server for comparison: sends messages of the publisher (/publish) to all others. Prints its port. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('connection', (socket, request) => {
  if (request.url !== '/publish') return
  socket.on('message', (data) => {
    const text = String(data)
    for (const client of server.clients) if (client !== socket) client.send(text)
  })
})
server.on('listening', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`)
})
