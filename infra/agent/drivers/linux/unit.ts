import { FRR_GROUP } from './frr/daemons.ts'
import { UNIT_CAPABILITIES } from './unit-capabilities.ts'

/** Options of Node for an agent: semi-spaces of 1 MiB instead of 16, because memory of a small router counts more. */
export const NODE_OPTIONS = ['--max-semi-space-size=1'] as const

/**
 * Text of a unit of systemd for the driver `linux`. Its processes outlive it, and it is not started again after wrong options.
 *
 * @param command program and arguments.
 */
export const unitText = (command: readonly string[]): string =>
  [
    '[Unit]',
    'Description=Netloom agent',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    `ExecStart=${command.map(quote).join(' ')}`,
    'Restart=always',
    'RestartSec=5',
    'RestartPreventExitStatus=2',
    'KillMode=process',
    'UMask=0022',
    'LimitNOFILE=65536',
    'ProtectSystem=full',
    `CapabilityBoundingSet=${Object.keys(UNIT_CAPABILITIES).join(' ')}`,
    `SupplementaryGroups=${FRR_GROUP}`,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')

/** Argument as systemd reads it: in quotes, with its own signs doubled. */
const quote = (text: string): string =>
  /^[\w./:@=+-]+$/.test(text)
    ? text
    : `"${text
        .replace(/["\\]/g, String.raw`\$&`)
        .replaceAll('%', '%%')
        .replaceAll('$', () => '$$')}"`
