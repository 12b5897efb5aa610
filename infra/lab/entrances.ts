import type { Lab } from './lab.ts'

/** Lines that say how to enter the console and each host of a lab that stands. */
export function describeEntrances({ bed, stack, customers, folder }: Lab): readonly string[] {
  return [
    '',
    `  console   ${stack.origin}, as ${customers.map(({ username, password }) => `${username} / ${password}`).join(' or ')}`,
    `  operator  NETLOOM_URL=${stack.origin} npm run ops`,
    `  agents    logs and state in ${folder}/<site>`,
    '  hosts',
    ...bed.namespaces().map((name) => `    ip netns exec ${name} bash`),
    '',
    '  Ctrl-C removes everything.',
  ]
}
