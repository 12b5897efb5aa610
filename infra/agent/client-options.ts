import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROGRAM } from './program.ts'
import { serverProblem } from './server-address.ts'

export interface ClientLine {
  readonly server: string
  readonly name: string
  /** A path, or `-` for the standard input. */
  readonly passwordFile: string
  readonly state: string
  readonly isLeaving: boolean
}

export const CLIENT_USAGE = `${PROGRAM} client --server <url> --name <name@suffix> --state <folder> [options]

  --server <url>          origin of the service, such as https://console.example.com
  --name <name@suffix>    account of the software member
  --state <folder>        where the session and the files of OpenVPN are kept
  --password-file <file>  file with the password, or - for the standard input (default); needed once, then the session is renewed
  --logout                end the session
  --insecure              allow http to another machine
`

/** Throws with a sentence for the user. */
export function parseClientLine(argv: readonly string[]): ClientLine {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      server: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      state: { type: 'string', default: '' },
      'password-file': { type: 'string', default: '-' },
      logout: { type: 'boolean', default: false },
      insecure: { type: 'boolean', default: false },
    },
  })
  const { server, name, state, logout } = values
  if (!server || !name || !state) throw new Error('--server, --name and --state are required')
  const problem = serverProblem(server, values.insecure)
  if (problem) throw new Error(problem)
  return { server, name, state: resolve(state), passwordFile: values['password-file'], isLeaving: logout }
}
