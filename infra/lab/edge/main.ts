import { createServer } from 'node:http'
import { SERVICE_ADDRESS, WEB_ADDRESS } from '../bed/sites.ts'
import { createEdge } from './edge.ts'

/* Servers of the internet namespace: the edge of the service, and a web server that answers with the caller's address. */

const HTTP = 80
const [socketPath] = process.argv.slice(2)
if (socketPath === undefined) throw new Error('The path of the relay is missing')

const web = createServer(({ socket }, answer) => void answer.end(`${socket.remoteAddress}\n`))
createEdge(socketPath).listen(HTTP, SERVICE_ADDRESS, () =>
  web.listen(HTTP, WEB_ADDRESS, () => process.stdout.write('ready\n')),
)
