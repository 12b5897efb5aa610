import type { Input } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import type { ticketApi } from '#contract/ticket/index.ts'
import { type DemoDevice, STORE_DEVICES, device } from './devices.ts'
import { type DemoNetwork, FACTORY, HEADQUARTERS, PORT_STORAGE, RESEARCH, STORES } from './networks.ts'

/** Demo data of a first start: two tenants with Chinese company data. load.ts creates it through the ordinary calls. */

export const DEMO_PASSWORD = 'Demo2026'

export interface DemoTenant {
  readonly username: string
  readonly nickname: string
  readonly phone: string
  readonly email: string
  readonly sign: string
  /** Features of the account, by default none. */
  readonly flags: { readonly [K in 'quagga' | 'quagga_advanced' | 'default_route']?: 1 }
  readonly services: readonly (Pick<Input<typeof opsApi.setService>, 'kind' | 'name' | 'quantity'> & {
    /** Start and end of the term, in days from the first start; by default a year from the set-up. */
    days?: readonly [start: number, end: number]
  })[]
  readonly devices: readonly DemoDevice[]
  readonly software: readonly DemoSoftware[]
  readonly networks: readonly DemoNetwork[]
  readonly messages: readonly (Pick<Input<typeof opsApi.sendMessage>, 'type' | 'title' | 'content'> & {
    /** Name of the network, and serial of the member, that it concerns. */
    network?: string
    router?: string
  })[]
  readonly contacts: readonly DemoContact[]
  readonly tickets: readonly DemoTicket[]
}

/** Support ticket; `router` is the serial of the router in its snapshot. */
export interface DemoTicket extends Pick<Input<typeof ticketApi.create>, 'type' | 'title' | 'content'> {
  readonly router?: string
  readonly hasImage?: true
  readonly status?: 2 | 4
  readonly dialogue?: readonly { readonly side: 'customer' | 'adviser'; readonly text: string }[]
  readonly appraise?: { readonly grade: number; readonly content: string }
}

/** Contact with the days that are left of its authorization, by default all; null: the address is not verified. */
export interface DemoContact {
  readonly name: string
  readonly email: string
  readonly days?: number | null
}

interface DemoSoftware {
  readonly username: string
  readonly note: string
  /** Bound phone; empty for none. */
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
      { kind: 'bandwidth', name: '骨干带宽', quantity: 200, days: [-353, 12] },
      { kind: 'software_member', name: '软件成员试用', quantity: 20, days: [-31, -1.2] },
      { kind: 'center', name: '中心点扩展', quantity: 2, days: [30, 395] },
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
      {
        type: '服务',
        title: '服务开通通知',
        content: '您购买的“智能组网标准版”已开通，可在“用户中心-我的服务”查看。',
      },
      {
        type: '系统',
        title: '设备发货通知',
        content: '您的 41 台智能网关已发货，请使用机身标签上的序列号与激活码在“成员管理”中绑定。',
      },
      {
        type: '安全',
        title: '新设备登录提醒',
        content: '账号 demo01 在新设备上登录。\n设备：Windows，Edge\n地点：上海\n如非本人操作，请立即修改密码。',
      },
    ],
    contacts: [
      { name: '网络值班', email: 'noc@qiming.example' },
      { name: '王磊 运维', email: 'wang.lei@qiming.example', days: 6.5 },
      { name: '集成商驻场', email: 'onsite@jicheng.example', days: -3 },
      { name: '李娜 财务', email: 'li.na@qiming.example', days: null },
    ],
    tickets: [
      {
        type: 4,
        title: '子账号如何修改登录密码',
        content: '我们有两位值班同事使用子账号登录，请问在哪里修改他们的登录密码？',
        dialogue: [
          {
            side: 'adviser',
            text: '您好，子账号登录后，将鼠标移到页面右上角的昵称上，选择“修改密码”即可。修改后需要重新登录。',
          },
          { side: 'customer', text: '已经找到了，谢谢。' },
        ],
        appraise: { grade: 5, content: '回复很快，讲解清楚。' },
      },
      {
        type: 2,
        title: '北京分公司访问总部时断时续',
        content:
          '今天上午 9 点起，北京分公司访问总部 ERP 系统时断时续，持续约 20 分钟后恢复。\n期间其他分公司正常，请协助排查原因。拓扑截图见附件。',
        router: 'NL22P001',
        hasImage: true,
        dialogue: [
          {
            side: 'adviser',
            text: '您好，快照和截图已收到。请确认当时北京分公司的出口运营商是否有割接，我们同时核对骨干侧的记录。',
          },
          { side: 'customer', text: '运营商确认 9:05-9:25 有一次线路割接。' },
          {
            side: 'adviser',
            text: '感谢确认，时间与链路中断吻合。建议为北京分公司增加一条备用线路，或启用双中心点互通。',
          },
        ],
      },
      {
        type: 1,
        title: '续费：骨干带宽',
        content: '骨干带宽即将到期，希望续费一年，请联系我们确认价格。',
      },
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
    messages: [{ type: '系统', title: '欢迎使用智能组网', content: '请先在“成员管理”中添加设备，再创建组网。' }],
    contacts: [],
    tickets: [],
  },
]

interface DemoAnnouncement extends Input<typeof opsApi.publishAnnouncement> {
  /** Days from its release to the first start. */
  readonly daysAgo: number
}

/** `{image}` stands for the address of the demo's image. */
export const ANNOUNCEMENTS: readonly DemoAnnouncement[] = [
  {
    daysAgo: 3,
    title: '组网拓扑全新上线：链路状态一图看清',
    tag: '产品',
    content: `组网详情新增**拓扑视图**，中心点、分支点与 POP 的链路状态一图可见。

![组网拓扑]({image})

## 主要变化

- 正常链路只显示端口，*异常链路*才画线：红色虚线为中断，橙色为单边
- 点击成员或链路，右侧面板显示原因与开始时间
- 支持搜索、全屏与导出 PNG

| 颜色 | 状态 |
| --- | --- |
| 绿色 | 已连接 |
| 红色虚线 | 已断开 |
| 灰色点线 | 未知 |

前往 [组网列表](/network/lists) 打开任一组网即可体验。`,
  },
  {
    daysAgo: 5,
    title: '星桥云专线机房巡检通知',
    tag: '维护',
    hosts: ['xingqiao.netloom.cn'],
    content: '本周日 02:00-04:00 例行巡检，业务不受影响。',
  },
  {
    daysAgo: 12,
    title: '关于优化上海、广州 POP 节点骨干带宽的通知',
    tag: '产品',
    content: '为提升跨地域访问体验，我们将于本月完成上海、广州 POP 节点的带宽扩容，期间业务不受影响。',
  },
  {
    daysAgo: 26,
    title: 'Linux 客户端命令行版发布',
    tag: '更新',
    content: '命令行版客户端支持各主要发行版，并优化了弱网环境下的重连速度。请前往“下载客户端”获取。',
  },
  {
    daysAgo: 58,
    title: '节假日技术支持值班安排',
    tag: '服务',
    content: '法定节假日期间，工单服务正常受理；紧急故障请拨打服务热线。',
  },
]

/** Roles of the sub-accounts of demo01: one has every right, the other sees a single network. */
export const ALL_FLAGS_ROLE = '网络运维'
export const LIMITED_ROLE = '分支管理员'

/** Tickets of the sub-account with every right. */
export const RAM_TICKETS: readonly DemoTicket[] = [
  {
    type: 3,
    title: '门店网关指示灯不亮',
    content: '新到的一台门店网关接通电源后指示灯不亮，已更换电源适配器，仍然没有反应。',
    status: 2,
  },
]
