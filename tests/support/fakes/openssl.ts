import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Run of the command-line tool, for tests inside workerd: its arguments, and files by name in its folder. */
export interface OpensslRun {
  readonly args: readonly string[]
  readonly files: Readonly<Record<string, string>>
}
export interface OpensslResult {
  readonly isDone: boolean
  /** Both outputs. */
  readonly text: string
}

/** Server that runs OpenSSL, which tests inside workerd cannot. */
export async function startOpenssl() {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => run(JSON.parse(body) as OpensslRun))
      .then((result) => response.end(JSON.stringify(result)))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((closed) => void server.close(() => closed()))
  return { url: `http://127.0.0.1:${port}/`, close }
}

async function run({ args, files }: OpensslRun): Promise<OpensslResult> {
  const folder = await mkdtemp(join(tmpdir(), 'openssl-'))
  try {
    await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, basename(name)), content)))
    return await new Promise((done) => {
      execFile('openssl', [...args], { cwd: folder }, (error, stdout, stderr) =>
        done({ isDone: error === null, text: `${stdout}${stderr}` }),
      )
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
