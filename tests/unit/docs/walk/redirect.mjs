// Preload of the Node programs of a walk: every TLS connection ends at the recorder, and long waits are short. Plain
// JavaScript, because npm's own Node loads it, too.
import { createRequire } from 'node:module'

const tls = createRequire(import.meta.url)('node:tls')
const { connect } = tls
const port = Number(process.env.RECORDER_PORT)
const LONG_MS = 15_000
const SHORT_MS = 1_000

tls.connect = (options, ...rest) =>
  connect(
    { ...options, host: '127.0.0.1', port, path: undefined, socket: undefined, rejectUnauthorized: false },
    ...rest,
  )

const setTimer = globalThis.setTimeout
globalThis.setTimeout = (run, ms, ...args) => setTimer(run, ms >= LONG_MS ? SHORT_MS : ms, ...args)
