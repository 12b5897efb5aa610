import { type DemoDevice, device } from './devices.ts'
import { FACTORY, HEADQUARTERS, RESEARCH, STORES } from './networks.ts'

/** The operator's own account, whose devices are the nodes of its POP areas. */
export const OPERATOR = { username: 'popnodes', nickname: '骨干网运营' } as const

export const AREAS: readonly { readonly name: string; readonly node: DemoDevice }[] = [
  { name: '上海', node: device('NLPOPSH01', '上海 POP 节点', null, 'virtual', 'NL-P1000') },
  { name: '成都', node: device('NLPOPCD01', '成都 POP 节点', null, 'virtual', 'NL-P1000') },
  { name: '广州', node: device('NLPOPGZ01', '广州 POP 节点', null, 'virtual', 'NL-P1000') },
]

/** An order of POP access, and what the operator has made of it. */
export interface DemoOrder {
  readonly network: string
  readonly bandwidth: number
  readonly years: 1 | 2 | 3
  /** Members by area. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  readonly step: 'none' | 'start' | 'complete' | 'cancel'
  /** Of the operator. */
  readonly note: string
  /** Of the resource, once completed. */
  readonly resource?: { readonly name: string; readonly shortname: string; readonly endsInDays: number }
  /** Backup areas, which members choose after that. */
  readonly backup?: Readonly<Record<string, string>>
}

export const ORDERS: readonly DemoOrder[] = [
  {
    network: HEADQUARTERS.name,
    bandwidth: 150,
    years: 1,
    areas: { 广州: ['NL22P002'] },
    step: 'cancel',
    note: '广州 POP 本月余量不足，请改选其他带宽后重新提交。',
  },
  {
    network: RESEARCH.name,
    bandwidth: 100,
    years: 1,
    areas: { 上海: ['liu.yang@qiming'], 成都: ['NL22P003', 'NL22P005'], 广州: ['zhou.min@qiming'] },
    step: 'complete',
    note: '已完成接入，三个区域各一个节点。',
    resource: { name: '研发骨干接入', shortname: '研发骨干', endsInDays: 20 },
    backup: { NL22P003: '上海', NL22P005: '广州' },
  },
  {
    network: STORES.name,
    bandwidth: 50,
    years: 2,
    areas: { 上海: ['NL22S001', 'NL22S002', 'NL22S003'], 广州: ['NL22S025', 'NL22S026'] },
    step: 'start',
    note: '正在核对带宽，预计两个工作日完成。',
  },
  { network: FACTORY.name, bandwidth: 50, years: 1, areas: { 成都: ['NL22P004'] }, step: 'none', note: '' },
]
