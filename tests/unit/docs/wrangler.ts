import { readFileSync } from 'node:fs'

/* Check of a command line of wrangler by the list of its options (wrangler-options.test.ts). */

type Words = readonly string[]

interface WranglerList {
  readonly version: string
  /** Options by command, those of every command under ''. */
  readonly options: Readonly<Record<string, readonly string[]>>
}
export const WRANGLER: WranglerList = JSON.parse(
  readFileSync(new URL('wrangler-options.json', import.meta.url), 'utf8'),
) as WranglerList

/** Words of a command of wrangler, without positionals: the longest start that the list has. */
function wranglerCommand(words: Words): string | null {
  const until = words.findIndex((word) => word.startsWith('-'))
  const plain = until < 0 ? words : words.slice(0, until)
  for (let length = Math.min(plain.length, 3); length > 0; length--) {
    const name = plain.slice(0, length).join(' ')
    if (name in WRANGLER.options) return name
  }
  return null
}

/** Fault of wrangler's arguments. It refuses an option that it does not know. */
export function faultOfWrangler(words: Words): string | null {
  const command = wranglerCommand(words)
  if (command === null) return `wrangler has no command ${words.slice(0, 3).join(' ')}`
  const known = [...(WRANGLER.options[''] ?? []), ...(WRANGLER.options[command] ?? [])]
  const unknown = optionsOf(words).find((name) => !known.includes(name))
  return unknown === undefined ? null : `wrangler ${command} has no option ${unknown}`
}

const optionsOf = (words: Words): readonly string[] =>
  words.flatMap((word) => (/^-{1,2}[a-z]/i.test(word) ? (word.split('=')[0] ?? []) : []))
