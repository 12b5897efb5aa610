import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles } from '#tests/support/source-files.ts'

/** Sources of the Worker and its hubs that hold this. */
const filesWith = (text: RegExp): string[] =>
  ['worker', 'durable']
    .flatMap((root) => listFiles(root, /\.ts$/))
    .filter((file) => text.test(readFileSync(file, 'utf8')))

it('nothing in the Worker or its hubs calls fetch() past outbound', () => {
  expect(filesWith(/(?<![.\w]|async )(globalThis\.|self\.)?fetch\(/)).toEqual(['worker/outside/outbound.ts'])
})

it('nothing in the Worker or its hubs opens sockets but the adapters of mail and directories', () => {
  const opening = ['worker/outside/adapters.ts', 'worker/outside/ldap/public-dial.ts']
  expect(filesWith(/cloudflare:sockets'/).toSorted()).toEqual(opening)
})
