import { createPasswordHasher } from '#durable/hash-pool/client.ts'
import { createHubs } from '#durable/hubs.ts'
import { createStatusPort } from '#durable/status-hub/client.ts'
import { createApp } from './app.ts'
import { runJobs } from './jobs/jobs.ts'
import { createOutside } from './outside/adapters.ts'

/* Entry of the Worker: the classes of its Durable Objects, and its handlers of requests and cron runs. */

export { AccountHub } from '#durable/account-hub/account-hub.ts'
export { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
export { HashPool } from '#durable/hash-pool/hash-pool.ts'
export { NetworkHub } from '#durable/network-hub/network-hub.ts'
export { RouterHub } from '#durable/router-hub/router-hub.ts'
export { StatusHub } from '#durable/status-hub/status-hub.ts'

const app = createApp({
  hubs: createHubs,
  outside: createOutside,
  passwords: createPasswordHasher,
  status: createStatusPort,
})

export default {
  fetch: app.fetch,
  scheduled: runJobs,
} satisfies ExportedHandler<Env>
