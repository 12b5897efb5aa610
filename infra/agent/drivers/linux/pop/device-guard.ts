import { outputOf } from '../programs.ts'

/*
 * Table of a node's own namespace: an interface of a tunnel carries nothing there, in the moment before it is moved into the
 * namespace of its network.
 */

const CLEAR = 'table inet netloom_pop {}\ndelete table inet netloom_pop\n'
const TABLE = [
  'table inet netloom_pop {',
  ...(['input', 'forward', 'output'] as const).flatMap((hook) => [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority -10; policy accept;`,
    ...(hook === 'output' ? [] : ['    iifname "ov*" drop']),
    ...(hook === 'input' ? [] : ['    oifname "ov*" drop']),
    '  }',
  ]),
  '}\n',
].join('\n')

/** Sets the table, or deletes it. */
export async function guardDevice(isOn: boolean): Promise<void> {
  await outputOf('nft', ['-f', '-'], isOn ? `${CLEAR}${TABLE}` : CLEAR)
}
