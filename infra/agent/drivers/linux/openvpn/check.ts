import { spawn } from 'node:child_process'
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { messageOfError } from '#infra/agent/log.ts'
import { deviceKeyFile, keyFiles } from '#infra/agent/drivers/render/openvpn.ts'
import type { Folders } from '#infra/agent/drivers/render/target.ts'
import { type ProcessTable, hashOfText } from '../processes/process-table.ts'
import { requireProgram, toLog } from '../programs.ts'
import { revokedSerials } from './revoked-serials.ts'
import { ensureTokenKey, prepareShared, readText, writeKeys, writeRevoked } from './tunnel-files.ts'
import { findForeign, findPortHolders } from './udp-ports.ts'
import { type OpenvpnWanted, type WantedProcess, wantedKeys } from './wanted.ts'

/* Checks of a wanted part before it runs: free ports, and OpenVPN's own verdict on each new configuration. */

/**
 * Failure of a port that a process holds which is not this device's own.
 *
 * @param running part that is kept running.
 */
export async function checkPorts(
  wanted: OpenvpnWanted,
  processes: ProcessTable,
  running: OpenvpnWanted,
): Promise<Failure | null> {
  const ports = new Set(Object.values(wanted.processes).flatMap(({ port }) => (port === null ? [] : [port])))
  const own = [...processes.running().values()].map(({ name, pid }) => ({
    pid,
    port: running.processes[name]?.port ?? null,
  }))
  const likely = own.flatMap(({ pid, port }) => (port === null ? [] : [pid]))
  const foreign = findForeign(await findPortHolders(ports, likely), own)
  if (foreign === null) return null
  const { port, pid, command } = foreign
  return checkFailure(pid === null ? `端口${port}已被占用` : `端口${port}已被进程${command}（${pid}）占用`)
}

/** Failure of certificates and lists that OpenVPN reads only once it has opened its port. */
export async function checkKeys({ keys, folders }: OpenvpnWanted): Promise<Failure | null> {
  if (folders === null || Object.keys(keys).length === 0) return null
  const deviceKey = await readText(deviceKeyFile(folders))
  if (deviceKey === null) return checkFailure('设备的密钥不能读取')
  for (const [number, { ca, certificate, revoked }] of Object.entries(keys)) {
    try {
      const own = new X509Certificate(certificate)
      if (!own.checkPrivateKey(createPrivateKey(deviceKey)))
        return checkFailure(`组网${number}的证书与设备的密钥不一致`)
      if (!own.verify(new X509Certificate(ca).publicKey)) return checkFailure(`组网${number}的证书不是由其证书机构签发`)
      revokedSerials(revoked)
    } catch (error) {
      return { ...checkFailure(`组网${number}的证书不能读取`), log: toLog(messageOfError(error)) }
    }
  }
  return null
}

/** OpenVPN's own check of the processes that do not run yet, with their keys in a folder of their own. */
export async function checkConfigs(
  wanted: OpenvpnWanted,
  processes: ProcessTable,
  state: string,
): Promise<Failure | null> {
  const running = processes.running()
  const fresh = Object.entries(wanted.processes).filter(
    ([device, { text }]) => running.get(device)?.textHash !== hashOfText(text),
  )
  const { folders: from } = wanted
  if (fresh.length === 0 || from === null) return null
  const scratch = await mkdtemp(join(state, 'check-'))
  try {
    const folders = { keys: join(scratch, 'k'), shared: join(scratch, 's') }
    await prepareShared(folders)
    for (const number of new Set(fresh.map(([, { network }]) => network))) {
      await writeKeys(folders, number, wantedKeys(wanted, number))
      await writeRevoked(folders, number, wantedKeys(wanted, number)?.revoked ?? null)
      await ensureTokenKey(folders, number)
    }
    const check = async ([device, process]: (typeof fresh)[number]): Promise<Failure | null> => {
      const log = await refusalOf(device, toScratch(process, from, folders), folders)
      return log === null ? null : { ...checkFailure(`组网${process.network}的隧道配置不能使用`), log }
    }
    for (let at = 0; at < fresh.length; at += CHECKS_AT_ONCE) {
      const failures = await Promise.all(fresh.slice(at, at + CHECKS_AT_ONCE).map(check))
      const failure = failures.find((each) => each !== null)
      if (failure) return failure
    }
    return null
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The configuration with the files of the check; the device's key stays where it is. */
function toScratch({ config, network }: WantedProcess, from: Folders, to: Folders): string {
  const files = keyFiles(from, network)
  const moved = keyFiles(to, network)
  const pairs = [
    ...Object.entries(files).map(([name, path]) => [path, moved[name as keyof typeof moved]] as const),
    [`${from.shared}/`, `${to.shared}/`] as const,
  ]
  return pairs.reduce((text, [path, other]) => text.replaceAll(path, other), config)
}

const HOLD = 'Need hold release'
const CHECK_MS = 10_000
/** A process of OpenVPN takes 6 MB. */
const CHECKS_AT_ONCE = 4

/** OpenVPN's own last lines where it refuses a configuration. It runs up to where it would open its port and device. */
async function refusalOf(device: string, config: string, { keys, shared }: Folders): Promise<string | null> {
  const file = join(keys, `${device}.conf`)
  await writeFile(file, config, { mode: 0o600 })
  await mkdir(join(shared, 'ccd', basename(device)), { recursive: true })
  const options = ['--config', file, '--dev', 'null', '--ifconfig-noexec', '--management-hold']
  const program = await requireProgram('openvpn')
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'], timeout: CHECK_MS, killSignal: 'SIGKILL' })
  return new Promise((resolve) => {
    let output = ''
    const onData = (data: Buffer) => {
      output = (output + data.toString()).slice(-16_384)
      if (output.includes(HOLD)) child.kill('SIGKILL')
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(output.includes(HOLD) ? null : refusalLines(output)))
  })
}

/** Last lines that say why OpenVPN ended: it prints its version and warnings before. */
export function refusalLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => /error|cannot|fail|unsupported|unrecognized/i.test(line))
  return toLog((errors.length > 0 ? errors : lines).slice(-5).join('\n'))
}
