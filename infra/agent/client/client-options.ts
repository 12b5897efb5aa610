import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROGRAM } from '../options.ts'
import { serverProblem } from '../server-address.ts'

/* Command line of the software client (`client`): usage and options. */

export const CLIENT_USAGE = `${PROGRAM} client --server <url> --name <name@suffix> --state <folder> [options]
${PROGRAM} client --server <url> --auth-source <ID> --state <folder> [options]

  --server <url>          origin of the service, such as https://console.example.com
  --name <name@suffix>    account of the software member
  --auth-source <ID>      sign in with WeCom, Feishu or DingTalk in a browser; the administrator's console shows the ID
  --auth-type <which>     wechat, feishu, dingtalk or the number of a source, where the account has several
  --state <folder>        where the session and the files of OpenVPN are kept
  --password-file <file>  file with the password, or - for the standard input (default); needed once, then the session is renewed
  --logout                end the session
  --insecure              allow http to another machine
`

export type ClientLine = ReturnType<typeof parseClientLine>

/** Throws with a sentence for the user. Of `name` and `authSource` one is not empty. */
export function parseClientLine(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      server: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      'auth-source': { type: 'string', default: '' },
      'auth-type': { type: 'string', default: '' },
      state: { type: 'string', default: '' },
      'password-file': { type: 'string', default: '-' },
      logout: { type: 'boolean', default: false },
      insecure: { type: 'boolean', default: false },
    },
  })
  const { server, name, state, logout, 'auth-source': authSource, 'auth-type': authType } = values
  if (!server || !state) throw new Error('--server and --state are required')
  if (!name && !authSource) throw new Error('--name or --auth-source is required')
  const problem = serverProblem(server, values.insecure)
  if (problem) throw new Error(problem)
  const passwordFile = values['password-file']
  return { server, name, authSource, authType, state: resolve(state), passwordFile, isLeaving: logout }
}
