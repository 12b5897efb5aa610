import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { codeString, lengthText, displayText, wireBoolean } from '#contract/kernel/fields.ts'
import { configView, presenceView } from '#contract/kernel/protocol.ts'
import { POP } from '#contract/network/limits.ts'

/* Operator's endpoints of POP areas and their nodes. */

/** Name of an area. */
export const popName = displayText.min(1, '请输入区域名称').max(POP.nameMax, lengthText('区域名称', POP.nameMax))
const pop = z.object({ name: popName })

export const popOps = {
  createPop: write('pop/create', 'operator:admin', {
    summary: 'Create a POP area, which customers may order from then on',
    input: pop,
    output: z.object({ pop_id: z.int() }),
    example: { name: '上海' },
  }),
  editPop: write('pop/edit', 'operator:admin', {
    summary: 'Rename a POP area',
    input: pop.extend({ new_name: popName }),
    done: 'changed',
    example: { name: '上海', new_name: '上海二' },
  }),
  disablePop: write('pop/disable', 'operator:admin', {
    summary: 'Stop offering a POP area, or offer it again with status 1; what was bought stays',
    input: pop.extend({ status: wireBoolean.default(0) }),
    done: 'set',
    example: { name: '上海' },
  }),
  popNode: write('pop/node', 'operator:admin', {
    summary: 'Make a claimed device of the operator a node of a POP area; with status 0 it takes no new networks',
    input: pop.extend({ serial: codeString().min(1).max(64), status: wireBoolean.default(1) }),
    done: 'set',
    example: { name: '上海', serial: 'NL-POP-0001' },
  }),
  popNodes: read('pop/nodes', 'operator:read', {
    summary: 'Nodes with their areas, loads and states, and the networks whose configuration they refuse',
    output: z.array(
      z.object({
        serial: z.string(),
        /** Area. */
        name: z.string(),
        /** 0: takes no new networks. */
        status: wireBoolean,
        /** Number of networks, of `networks_max`. */
        networks: z.int(),
        networks_max: z.int(),
        presence: presenceView,
        config: configView,
        refused: z.array(z.object({ network_number: z.string(), reason: z.string() })),
      }),
    ),
  }),
} as const
