/* Lines of OpenVPN's management interface. Pure. Values of clients' environments come from outside. */

export type ManagementEvent =
  | {
      readonly type: 'state'
      readonly state: string
      readonly localIp: string
      readonly remoteIp: string
      /** Address and port of the other end; '' while there is none. */
      readonly remote: string
    }
  | {
      readonly type: 'client'
      readonly event: string
      readonly cid: number
      readonly kid: number | null
      readonly env: ClientEnv
    }
  | { readonly type: 'bytes'; readonly rx: number; readonly tx: number }
  | { readonly type: 'client-bytes'; readonly cid: number; readonly rx: number; readonly tx: number }
  /** A client was refused, because its certificate is revoked. */
  | { readonly type: 'revoked'; readonly name: string }
  /** Question for a password or its refusal (`PASSWORD`), message of the server (`NOTIFY`), reason of the end (`FATAL`). */
  | { readonly type: 'notice'; readonly kind: 'PASSWORD' | 'NOTIFY' | 'FATAL'; readonly text: string }
  /** Line of the reply to a command. */
  | { readonly type: 'reply'; readonly line: string }

/** Environment of a client by name; a name that comes twice keeps its first value. */
export type ClientEnv = ReadonlyMap<string, string>

/** Notification of a client whose environment is being read. */
export interface ClientBlock {
  readonly event: string
  readonly cid: number
  readonly kid: number | null
  readonly env: Map<string, string>
}

const ENV_MAX = 200
const VALUE_MAX = 4_096

/** Reads one line; `block` is the open notification of a client, returned by the line before. */
export function readManagementLine(
  line: string,
  block: ClientBlock | null,
): { readonly event: ManagementEvent | null; readonly block: ClientBlock | null } {
  if (!line.startsWith('>')) return { event: { type: 'reply', line }, block }
  const [, kind = '', rest = ''] = /^>(\w+):(.*)$/s.exec(line) ?? []
  switch (kind) {
    case 'STATE':
      return { event: toState(rest), block }
    case 'PASSWORD':
    case 'NOTIFY':
    case 'FATAL':
      return { event: { type: 'notice', kind, text: rest }, block }
    case 'BYTECOUNT':
      return { event: toBytes(rest), block }
    case 'BYTECOUNT_CLI':
      return { event: toClientBytes(rest), block }
    case 'CLIENT':
      return readClientLine(rest, block)
    case 'LOG':
      return { event: toRevoked(rest), block }
    default:
      return { event: null, block } // INFO, HOLD
  }
}

function readClientLine(rest: string, block: ClientBlock | null): ReturnType<typeof readManagementLine> {
  if (!rest.startsWith('ENV,')) {
    const [, event = '', cid = '', kid] = /^(\w+),(\d+)(?:,(\d+))?/.exec(rest) ?? []
    if (event === '' || event === 'ADDRESS') return { event: null, block } // no environment follows an address
    return {
      event: null,
      block: { event, cid: Number(cid), kid: kid === undefined ? null : Number(kid), env: new Map() },
    }
  }
  if (block === null) return { event: null, block }
  const text = rest.slice('ENV,'.length)
  if (text === 'END') return { event: { type: 'client', ...block }, block: null }
  const at = text.indexOf('=')
  const name = text.slice(0, at)
  if (at > 0 && block.env.size < ENV_MAX && !block.env.has(name))
    block.env.set(name, text.slice(at + 1, at + 1 + VALUE_MAX))
  return { event: null, block }
}

function toState(rest: string): ManagementEvent {
  const [, state = '', , localIp = '', remoteIp = ''] = rest.split(',')
  return { type: 'state', state, localIp, remoteIp, remote: remoteOfState(rest) }
}

/** Address and port of the other end from a line of `state`; '' without one. */
export function remoteOfState(line: string): string {
  const [, , , , ip = '', port = ''] = line.split(',')
  return ip === '' ? '' : `${ip}:${port}`
}

function toBytes(rest: string): ManagementEvent | null {
  const [, rx, tx] = /^(\d+),(\d+)$/.exec(rest) ?? []
  return rx === undefined ? null : { type: 'bytes', rx: Number(rx), tx: Number(tx) }
}

function toClientBytes(rest: string): ManagementEvent | null {
  const [, cid, rx, tx] = /^(\d+),(\d+),(\d+)$/.exec(rest) ?? []
  return cid === undefined ? null : { type: 'client-bytes', cid: Number(cid), rx: Number(rx), tx: Number(tx) }
}

const REVOKED = /VERIFY ERROR: depth=0, error=certificate revoked: CN=([\w.@-]{1,64})(?:,|$)/

function toRevoked(rest: string): ManagementEvent | null {
  const [, name] = REVOKED.exec(rest) ?? []
  return name === undefined ? null : { type: 'revoked', name }
}

/** Session with the other end of a link that both ends dial. */
export type PeerSession = Pick<ClientSession, 'remote' | 'cipher'>

/** Its address from the newest line of `state`, its cipher from the newest line of the log that names one. */
export function readPeer(state: string, log: readonly string[]): PeerSession {
  const ciphers = log.map((line) => /Data Channel: cipher '([\w-]{1,32})'/.exec(line)?.[1])
  return { remote: remoteOfState(state), cipher: ciphers.findLast((cipher) => cipher !== undefined) ?? '' }
}

/** Session of a client, from a line of `status 3`; null for other lines. */
export interface ClientSession {
  readonly name: string
  /** Address and port of the client. */
  readonly remote: string
  /** Inside address of a software member; empty before its admission, and for a router. */
  readonly address: string
  readonly cid: number
  readonly cipher: string
  /** Epoch seconds. */
  readonly since: number
  /** Received from the client, and sent to it. */
  readonly rx: number
  readonly tx: number
}

export function readSession(line: string): ClientSession | null {
  const [kind, name, remote = '', address = '', , rx, tx, , since, , cid, , cipher = ''] = line.split('\t')
  if (kind !== 'CLIENT_LIST' || name === undefined || !/^\d+$/.test(cid ?? '')) return null
  return { name, remote, address, cid: Number(cid), cipher, since: Number(since), rx: Number(rx), tx: Number(tx) }
}
