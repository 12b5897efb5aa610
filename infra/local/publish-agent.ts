import { createHash } from 'node:crypto'
import { openAsBlob, createReadStream } from 'node:fs'
import pkg from '#package.json' with { type: 'json' }
import { opsApi } from '#contract/ops/index.ts'
import { callEndpoint } from './api.ts'
import { buildAgent } from './build.ts'

const NOTES = `一个文件，适用于任何架构的 Linux，需要 Node.js 22 或更高版本。

查看用法：node {name} --help
作为硬件成员运行：node {name} --server <控制台地址> --serial <序列号> --state <目录> --code-file <激活码文件>
作为软件成员登录：node {name} client --server <控制台地址> --name <账号@后缀> --state <目录>
通过企业微信、飞书或钉钉登录：node {name} client --server <控制台地址> --auth-source <认证源ID> --state <目录>`

/** Publishes the agent of this checkout as the command-line build for Linux, unless the same bytes are published. */
export async function publishAgent(url: string, token: string): Promise<void> {
  const file = await buildAgent()
  const sha256 = await sha256Of(file)
  const known = await callEndpoint(url, '/ops/v1', opsApi.listReleases, {}, token)
  if (known.some((release) => release.sha256 === sha256)) return
  const version = `${pkg.version}+${sha256.slice(0, 8)}` // the package's version stays while its sources change
  const name = `network-agent-${pkg.version}.mjs`
  const notes = NOTES.replaceAll('{name}', name)
  const input = { platform: 'linux', panel: 'command', version, name, notes, sha256 } as const
  await callEndpoint(url, '/ops/v1', opsApi.publishRelease, input, token, undefined, await openAsBlob(file))
}

/** SHA-256 of a file of any size, as hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer)
  return hash.digest('hex')
}
