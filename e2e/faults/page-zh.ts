import type { PageWords } from './page.ts'

/** The names of the faults in Chinese. */
export const faultNames: Readonly<Record<string, string>> = {
  'kill -9 of the harness': 'kill -9 杀死 harness',
  'kill -9 of the harness during a token refresh': '刷新 token 时 kill -9 杀死 harness',
  'kill -9 of the harness that works for MCP clients': 'harness 为 MCP 客户端工作时被 kill -9',
  'kill -9 of the harness in the middle of a write': '写文件写到一半时 kill -9 杀死 harness',
  'kill -9 of a stdio server': 'kill -9 杀死 stdio 服务器',
  'a server connected anew again and again while it starts': '服务器启动期间反复要求重新连接',
  'kill -9 of the stdio bridge': 'kill -9 杀死 stdio 桥接进程',
  'kill -9 of the program that runs the bridge': 'kill -9 杀死启动桥接进程的程序',
  'kill -9 of a second process that writes the state file': 'kill -9 杀死正在写状态文件的另一个进程',
  'a damaged state file': '状态文件损坏',
  'a damaged workspace file': '工作区文件损坏',
  'a damaged endpoint file': '端点文件损坏',
  'a damaged file of the endpoint token': '端点 token 文件损坏',
  'a full disk': '磁盘写满',
  'a disk that became read-only': '磁盘变为只读',
  'a slow disk': '磁盘极慢',
  'a network that fails': '网络故障',
  'a network that fails between bridge and harness': '桥接进程与 harness 之间网络故障',
  'clients that fall silent': '请求发到一半便不再出声的客户端',
  'a clock that jumps': '系统时钟跳变',
  'two harnesses on one home that change it at once': '两个 harness 同时修改同一个 home',
  'malformed calls of the page API': '畸形的页面 API 调用',
  'malformed frames': '畸形的协议帧',
  'many MCP clients at once': '大量 MCP 客户端同时连接',
  'mixed load': '混合负载',
}

const figureNames: Readonly<Record<string, string>> = {
  'MiB of live objects': '存活对象（MiB）',
  'MiB resident': '常驻内存（MiB）',
  'open handles': '打开的句柄',
  'active resources': '活动资源',
  'server processes': '服务器进程',
}

/** The texts of the Chinese page. */
export const zh: PageWords = {
  title: '可靠性',
  intro: `本页由 \`npm run test:faults -- --report docs/reliability.md\` 生成，请勿手改。故障注入到真实的 harness 中：两个插件、服务器、授权服务器、MCP 客户端都是真的。每个注入点之后，以下各条全部成立才算挺过：

- harness 仍有应答，输出中没有无人捕获的错误；
- 状态文件里的服务器、登录和其他程序写入的内容原样未变，凡是已确认的写入一条不少；
- 两个服务器都能调用，MCP 端点的 token 不变，能列出工具；
- stdio 服务器只剩一个进程，这个 home 除 harness 外没有别的进程；
- 机密（token、密钥、环境变量和请求头的值）只在各自应在的文件里，且仅文件所有者可读；其他任何文件、输出和应答里都没有。`,
  date: '日期',
  machine: '机器',
  versions: '版本',
  amounts: ({ calls, frames, clients, loadSeconds, seed }) =>
    `数量：畸形 API 调用 ${calls} 次，畸形帧 ${frames} 个，并发客户端 ${clients} 个，混合负载 ${loadSeconds} 秒；随机种子 ${seed}`,
  columns: ['故障', '注入点', '挺过', '丢失数据', '跳过'],
  all: '合计',
  faultName: (fault) => faultNames[fault] ?? fault,
  load: '混合负载',
  loadText({ note = '' }) {
    const [rounds = '', seconds = ''] = [...note.matchAll(/\d+/g)].map(([digits]) => digits)
    return `${seconds} 秒内 ${rounds} 轮，每 25 轮之中 stdio 服务器崩溃一次、网络中断一次。前四分之一的时间算预热；起始值和结束值取其余时间前、后三分之一的中位数，增长按中位斜率（Theil–Sen）乘以这段时间；增长超过限度的，改按空闲（至多十秒）之后剩下的计算结束值和增长。存活对象指垃圾回收之后仍在的对象。`
  },
  loadColumns: ['harness 占用', '起始', '结束', '增长', '超过即失败'],
  figureName: (what) => figureNames[what] ?? what,
  end: () => '每个注入点的结果见[英文页](reliability.md#each-point)。\n',
}
