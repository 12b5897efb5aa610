/** What a first start shows: two tenants with Chinese company data. Loaded by load.ts through the ordinary calls. */

export const DEMO_PASSWORD = 'Demo2026'

export interface DemoDevice {
  readonly serial: string
  readonly model: string
  readonly note: string
  /** The segment behind the device. */
  readonly lan: string
  /** real: the agent on this machine's own interfaces; virtual: the simulator; none: still in its box. */
  readonly runs: 'real' | 'virtual' | 'none'
}

export interface DemoNetwork {
  readonly name: string
  readonly center: readonly string[]
  readonly point: readonly string[]
}

export interface DemoTenant {
  readonly username: string
  readonly nickname: string
  readonly phone: string
  readonly email: string
  readonly sign: string
  readonly services: readonly {
    kind: 'network_member' | 'center' | 'software_member' | 'sub_account' | 'bandwidth'
    name: string
    quantity: number
  }[]
  readonly devices: readonly DemoDevice[]
  readonly software: readonly { username: string; note: string; phone: string }[]
  readonly networks: readonly DemoNetwork[]
  readonly messages: readonly { title: string; content: string }[]
}

const device = (
  serial: string,
  note: string,
  lan: string,
  runs: DemoDevice['runs'] = 'virtual',
  model = 'NL-R220',
): DemoDevice => ({
  serial,
  note,
  lan,
  runs,
  model,
})

const STORES = [
  '上海徐汇店',
  '上海静安店',
  '上海浦东店',
  '杭州西湖店',
  '杭州滨江店',
  '南京新街口店',
  '南京河西店',
  '苏州园区店',
  '无锡太湖店',
  '宁波天一店',
  '合肥政务店',
  '济南泉城店',
  '青岛五四店',
  '天津滨江道店',
  '北京朝阳店',
  '北京海淀店',
  '石家庄店',
  '郑州二七店',
  '武汉江汉店',
  '武汉光谷店',
  '长沙五一店',
  '南昌红谷滩店',
  '福州三坊店',
  '厦门中山路店',
  '广州天河店',
  '广州北京路店',
  '深圳南山店',
  '深圳福田店',
  '东莞店',
  '佛山店',
  '南宁店',
  '昆明店',
  '重庆解放碑店',
]

const stores = STORES.map((note, i) => device(`NL22S${String(i + 1).padStart(3, '0')}`, note, `10.40.${i + 1}.0/24`))

export const TENANTS: readonly DemoTenant[] = [
  {
    username: 'demo01',
    nickname: '启明智造',
    phone: '13800010001',
    email: 'it@qiming.example',
    sign: 'qiming',
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
      ...stores,
    ],
    software: [
      { username: 'wang.lei', note: '王磊 运维', phone: '13900010001' },
      { username: 'li.na', note: '李娜 财务', phone: '13900010002' },
      { username: 'zhang.wei', note: '张伟 销售总监', phone: '13900010003' },
      { username: 'chen.jing', note: '陈静 人事', phone: '' },
      { username: 'liu.yang', note: '刘洋 区域督导', phone: '' },
    ],
    networks: [
      {
        name: '总部与分支互联',
        center: ['NL80C001', 'NL80C002'],
        point: ['NL22P001', 'NL22P002', 'NL22P003', 'NL22P004', 'NL22P005', 'NL22P006'],
      },
      {
        name: '全国门店收银网',
        center: ['NL80C001', 'NL80C002'],
        point: [
          ...stores.map(({ serial }) => serial),
          ...['wang.lei', 'li.na', 'zhang.wei', 'chen.jing', 'liu.yang'].map((name) => `${name}@qiming`),
        ],
      },
    ],
    messages: [
      { title: '服务开通通知', content: '您购买的“智能组网标准版”已开通，可在“用户中心-服务列表”查看。' },
      {
        title: '设备发货通知',
        content: '您的 41 台智能网关已发货，请使用机身标签上的序列号与激活码在“成员管理”中绑定。',
      },
    ],
  },
  {
    username: 'demo02',
    nickname: '远航物流',
    phone: '13800020002',
    email: 'it@yuanhang.example',
    sign: 'yuanhang',
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
    networks: [{ name: '港口仓储网', center: ['NL22Y001'], point: ['NL22Y002', 'NL22Y003'] }],
    messages: [{ title: '欢迎使用智能组网', content: '请先在“成员管理”中添加设备，再创建组网。' }],
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
