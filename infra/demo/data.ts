import { type DemoDevice, STORE_DEVICES, device } from './devices.ts'
import { type DemoNetwork, FACTORY, HEADQUARTERS, PORT_STORAGE, RESEARCH, STORES } from './networks.ts'

/** What a first start shows: two tenants with Chinese company data. Loaded by load.ts through the ordinary calls. */

export const DEMO_PASSWORD = 'Demo2026'

export interface DemoTenant {
  readonly username: string
  readonly nickname: string
  readonly phone: string
  readonly email: string
  readonly sign: string
  /** Features of the account; none of them unless named. */
  readonly flags: { readonly [K in 'quagga' | 'quagga_advanced' | 'default_route']?: 1 }
  readonly services: readonly {
    kind: 'network_member' | 'center' | 'software_member' | 'sub_account' | 'bandwidth'
    name: string
    quantity: number
  }[]
  readonly devices: readonly DemoDevice[]
  readonly software: readonly DemoSoftware[]
  readonly networks: readonly DemoNetwork[]
  readonly messages: readonly { title: string; content: string }[]
  readonly contacts: readonly DemoContact[]
}

/** Days that are left of the authorization, all of them unless named; null: the address is not verified. */
export interface DemoContact {
  readonly name: string
  readonly email: string
  readonly days?: number | null
}

interface DemoSoftware {
  readonly username: string
  readonly note: string
  /** Empty: none is bound. */
  readonly phone: string
  readonly isDisabled?: true
}

export const TENANTS: readonly DemoTenant[] = [
  {
    username: 'demo01',
    nickname: '启明智造',
    phone: '13800010001',
    email: 'it@qiming.example',
    sign: 'qiming',
    flags: { quagga: 1, quagga_advanced: 1, default_route: 1 },
    services: [
      { kind: 'network_member', name: '智能组网标准版', quantity: 100 },
      { kind: 'software_member', name: '软件成员', quantity: 50 },
      { kind: 'sub_account', name: '子账号', quantity: 10 },
      { kind: 'bandwidth', name: '骨干带宽', quantity: 200 },
    ],
    devices: [
      device('NL80C001', '上海总部机房', '10.10.0.0/24', 'real', 'NL-R800'),
      device('NL80C002', '苏州灾备机房', '10.10.1.0/24', 'real', 'NL-R800'),
      device('NL22P001', '北京分公司', '10.20.1.0/24', 'real'),
      device('NL22P002', '广州分公司', '10.20.2.0/24'),
      device('NL22P003', '成都分公司', '10.20.3.0/24'),
      device('NL22P004', '武汉一工厂', '10.20.4.0/24'),
      device('NL22P005', '西安研发中心', '10.20.5.0/24'),
      device('NL22P006', '青岛保税仓', '10.20.6.0/24', 'none'),
      ...STORE_DEVICES,
    ],
    software: [
      { username: 'wang.lei', note: '王磊 运维', phone: '13900010001' },
      { username: 'li.na', note: '李娜 财务', phone: '13900010002' },
      { username: 'zhang.wei', note: '张伟 销售总监', phone: '13900010003' },
      { username: 'chen.jing', note: '陈静 人事', phone: '' },
      { username: 'liu.yang', note: '刘洋 区域督导', phone: '' },
      { username: 'zhou.min', note: '周敏 远程研发', phone: '13900010006' },
      { username: 'sun.tao', note: '孙涛 已离职', phone: '', isDisabled: true },
    ],
    networks: [HEADQUARTERS, STORES, FACTORY, RESEARCH],
    messages: [
      { title: '服务开通通知', content: '您购买的“智能组网标准版”已开通，可在“用户中心-服务列表”查看。' },
      {
        title: '设备发货通知',
        content: '您的 41 台智能网关已发货，请使用机身标签上的序列号与激活码在“成员管理”中绑定。',
      },
    ],
    contacts: [
      { name: '网络值班', email: 'noc@qiming.example' },
      { name: '王磊 运维', email: 'wang.lei@qiming.example', days: 6.5 },
      { name: '集成商驻场', email: 'onsite@jicheng.example', days: -3 },
      { name: '李娜 财务', email: 'li.na@qiming.example', days: null },
    ],
  },
  {
    username: 'demo02',
    nickname: '远航物流',
    phone: '13800020002',
    email: 'it@yuanhang.example',
    sign: 'yuanhang',
    flags: {},
    services: [
      { kind: 'network_member', name: '智能组网基础版', quantity: 10 },
      { kind: 'software_member', name: '软件成员', quantity: 5 },
      { kind: 'sub_account', name: '子账号', quantity: 2 },
    ],
    devices: [
      device('NL22Y001', '天津港调度中心', '10.60.0.0/24'),
      device('NL22Y002', '大连仓库', '10.60.1.0/24'),
      device('NL22Y003', '宁波仓库', '10.60.2.0/24'),
    ],
    software: [{ username: 'zhao.min', note: '赵敏 调度', phone: '13900020001' }],
    networks: [PORT_STORAGE],
    messages: [{ title: '欢迎使用智能组网', content: '请先在“成员管理”中添加设备，再创建组网。' }],
    contacts: [],
  },
]

export const ANNOUNCEMENTS = [
  {
    title: '关于优化上海、广州 POP 节点骨干带宽的通知',
    tag: '产品',
    content: '为提升跨地域访问体验，我们将于本月完成上海、广州 POP 节点的带宽扩容，期间业务不受影响。',
  },
  {
    title: '客户端 3.2 版本发布：支持鸿蒙系统',
    tag: '更新',
    content: '新版本客户端支持 HarmonyOS，并优化了弱网环境下的重连速度。请前往“下载客户端”获取。',
  },
  {
    title: '国庆期间技术支持值班安排',
    tag: '服务',
    content: '国庆假期期间，工单服务正常受理；紧急故障请拨打服务热线。',
  },
] as const

/** Sub-accounts of demo01: one with every right, one that sees a single network. */
export const ALL_FLAGS_ROLE = '网络运维'
export const LIMITED_ROLE = '分支管理员'
