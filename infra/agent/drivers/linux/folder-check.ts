import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/* Checks of the folders of the driver `linux`, before anything is made. */

/** Longest path of a unix socket (sun_path without its end). */
const SOCKET_PATH_MAX = 107
/** Longest names of sockets: below the shared folder, and in the folder of a check below the state folder. */
const SOCKETS = {
  run: ['sockets/ov99999x99999.sock', 'frr/zserv.api', 'bgpd-XXXXXX/bgpd.vty'],
  state: ['check-XXXXXX/s/sockets/ov99999x99999.sock'],
}
/** Folders of a network of a node, below these. */
const NODE = { run: '999', state: 'networks/999' }
/** Configurations of the tools have no form for other characters. */
const PATH = /^[\w./@+-]+$/

/** Causes for which these folders cannot be used, a line each. Changes nothing. */
export async function folderProblems({
  state,
  run,
  isNode = false,
}: {
  readonly state: string
  readonly run: string
  readonly isNode?: boolean
}): Promise<string[]> {
  const socketsIn = (folder: keyof typeof SOCKETS) =>
    SOCKETS[folder].map((name) => (isNode ? join(NODE[folder], name) : name))
  const named = [['--state', state, socketsIn('state')] as const, ['--run', run, socketsIn('run')] as const]
  return [
    ...named
      .filter(([, folder]) => !PATH.test(folder))
      .map(([option]) => `${option}: only letters, digits and . / @ + - _`),
    ...named.flatMap(([option, folder, sockets]) => lengthProblem(option, folder, sockets)),
    ...(await entryProblems(run)),
  ]
}

function lengthProblem(option: string, folder: string, sockets: readonly string[]): string[] {
  const length = Math.max(...sockets.map((name) => Buffer.byteLength(join(folder, name))))
  if (length <= SOCKET_PATH_MAX) return []
  return [`${option}: the path of a socket would have ${length} bytes, and ${SOCKET_PATH_MAX} are possible`]
}

/** Processes without privileges have to get to the shared folder, and only root may write to it. */
async function entryProblems(run: string): Promise<string[]> {
  const problems: string[] = []
  for (let folder = run; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null)
    if (found && folder === run && (found.uid !== 0 || (found.mode & 0o022) !== 0))
      problems.push(`--run: others than root may write to ${folder}`)
    if (found && folder !== run && (found.mode & 0o001) === 0)
      problems.push(`--run: processes without privileges cannot enter ${folder}`)
    if (dirname(folder) === folder) return problems
  }
}
