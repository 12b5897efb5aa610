import { spawnSync } from 'node:child_process'

/* Command lines as bash reads them, without running a program. */

/** Files that a line would write, which bash would create. */
const REDIRECTION = />>?\s*(?:[~/][^\s;)&]*|"[^"]*")/g

/**
 * Programs and their arguments that a script would call, in order. No program is found, so that bash hands each over; its own
 * commands that read or change something are replaced.
 */
export function listCommands(scripts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const parts = scripts.map((script, i) => `at=${i}\n${script.replaceAll(REDIRECTION, '')}\n`)
  const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-s'], {
    input: `${PREAMBLE}${parts.join('')}`,
    encoding: 'utf8',
  })
  if (status !== 0 || stderr !== '') throw new Error(`bash: ${stderr}`)
  const calls = stdout
    .split('\u0001')
    .filter((call) => call !== '')
    .map((call) => call.split('\u0000').slice(0, -1))
  return scripts.map((_, i) => calls.filter(([at]) => at === String(i)).map(([, ...words]) => words))
}

/** In place of what a program prints within `$(…)`. */
export const PRINTED = '@printed'

/** Calls are written to the first stdout, also from within `$(…)`. */
const PREAMBLE = `PATH=/nonexistent HOME=/nonexistent
exec 3>&1 >/dev/null
record() { printf '%s\\0' "$at" "$@" >&3; printf '\\1' >&3; }
command_not_found_handle() { record "$@"; echo ${PRINTED}; }
read() { return 0; }
cd() { record cd "$@"; }
`
