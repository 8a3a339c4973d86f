import type { Language } from './about.ts'

/** Row names as a person reads them in Chinese; the parts in parentheses stand for what a name holds at that place. */
const chinese: readonly (readonly [RegExp, string])[] = [
  // all
  [/^calibration: (.+)$/, '校准：$1'],
  [/^loop of 50 M integer steps$/, '5000 万步整数循环'],
  // search
  [/^(MiniSearch|Orama), (.+)$/, '$1，$2'],
  [/^(MiniSearch|Orama): (.+)$/, '$1：$2'],
  [/^plain BM25: (.+)$/, '普通 BM25：$1'],
  [/^task left out: (.+)$/, '留一任务检验：$1'],
  [/^steps, (.+)$/, '步骤，$1'],
  [/^questions, (.+)$/, '问题，$1'],
  [/^Chinese steps, hit@5$/, '中文步骤，hit@5'],
  [/^60 Chinese steps, hit@5$/, '60 个中文步骤，hit@5'],
  [/^60 Chinese steps, aliases off, hit@5$/, '60 个中文步骤，关闭别名，hit@5'],
  [/^the same 60 steps in English, hit@5$/, '同样 60 个步骤的英文，hit@5'],
  [/^one typo in each step: loss of hit@5$/, '每个步骤含一处拼写错误：hit@5 的损失'],
  [/^asked by its name, or server\.tool: comes first$/, '按工具名或“服务器.工具”查询：排在首位'],
  [/^asked by its name: all tools of the server first$/, '按服务器名查询：其全部工具排在最前'],
  [/^10 000 tools: build$/, '1 万个工具：建立索引'],
  [/^10 000 tools: change of one server$/, '1 万个工具：更新一个服务器'],
  [/^10 000 tools: query, p95$/, '1 万个工具：查询，p95'],
  [/^10 000 tools: memory$/, '1 万个工具：内存'],
  [/^tool schemas of a request, direct$/, '一次请求中的工具定义，直接'],
  [/^tool schemas of a request, broker$/, '一次请求中的工具定义，按需'],
  [/^direct ÷ broker$/, '直接 ÷ 按需'],
  // page
  [/^section visible after the click, first time in a tab$/, '点击后页面可见，标签页内首次'],
  [/^section visible after the click, later$/, '点击后页面可见，再次'],
  [/^another section of the host, same click$/, '宿主的另一个设置页，同样的点击'],
  [/^a change shows after the request that makes it$/, '从发出修改请求到页面显示'],
  [/^idle page, share of a core$/, '空闲页面占用一个核心的比例'],
  [/^idle page in another section$/, '停在另一设置页时的空闲占用'],
  [/^heap growth in the second of two hours$/, '两小时中第二小时的堆增长'],
  [/^DOM node growth in the second of two hours$/, '两小时中第二小时的 DOM 节点增长'],
  // workspaces
  [/^200 registrations in the host's registry alone$/, '仅宿主注册表：200 次注册'],
  [/^session without the plugin$/, '不装插件时新建会话'],
  [/^session in a workspace, more than without$/, '在工作区中新建会话，比不装插件多'],
  [/^switch in effect for (\d+) agents$/, '开关对 $1 个智能体生效'],
  [/^requests that saw the old state$/, '仍看到旧状态的请求'],
  // tools
  [
    /^tail of a cold 50 000-event session, p95 against the host's own cold read$/,
    '冷读取 5 万事件会话的末尾，p95，与宿主自身冷读取之比',
  ],
  [/^the same by medians$/, '同上，按中位数'],
  [/^dsh_read_session, cold, p95$/, 'dsh_read_session，冷，p95'],
  [/^the host's own read, cold, p95$/, '宿主自身读取，冷，p95'],
  [/^dsh_read_session, again, p95$/, 'dsh_read_session，再次，p95'],
  [/^list of 2000 stored sessions, p95$/, '列出 2000 个已存会话，p95'],
  [/^list of 2000 against list of 1000 \(linear is 2\)$/, '列出 2000 个与 1000 个之比（线性为 2）'],
  [/^list of 2000 stored sessions, first after start$/, '列出 2000 个已存会话，启动后首次'],
  [/^dsh_get_status beside 2000 stored sessions, median$/, '有 2000 个已存会话时的 dsh_get_status，中位数'],
  [/^dsh_get_status beside 2000 stored sessions, p95$/, '有 2000 个已存会话时的 dsh_get_status，p95'],
  [
    /^200 waits on 50 sessions: from the end of the turn to the answer, p95$/,
    '50 个会话上的 200 个等待：从轮次结束到应答，p95',
  ],
  [/^the same, median$/, '同上，中位数'],
  [/^the same, slowest$/, '同上，最慢'],
  // server
  [/^tools\/call (\S+), (\d+) at once: ours \/ official handler$/, 'tools/call，$1，$2 个并发：本项目 / 官方处理器'],
  [
    /^tools\/call (\S+), (\d+) at once: a constant answer \/ official handler$/,
    'tools/call，$1，$2 个并发：固定应答 / 官方处理器',
  ],
  [/^tools\/call (\S+), (\d+) at once: constant(.*)$/, 'tools/call，$1，$2 个并发：固定应答$3'],
  [/^tools\/call (\S+), (\d+) at once: ours(.*)$/, 'tools/call，$1，$2 个并发：本项目$3'],
  [/^tools\/call (\S+), (\d+) at once: sdk(.*)$/, 'tools/call，$1，$2 个并发：官方处理器$3'],
  [/^bridge adds to p50, one at a time$/, '桥为 p50 增加的时间，逐个调用'],
  [/^p50 direct$/, 'p50，直连'],
  [/^p50 over the bridge$/, 'p50，经由桥'],
  [/^p50 over mcp-remote$/, 'p50，经由 mcp-remote'],
  [/^bridge carries \/ mcp-remote, 16 at once$/, '桥的吞吐 / mcp-remote，16 个并发'],
  [/^bridge carries, 16 at once$/, '桥的吞吐，16 个并发'],
  [/^mcp-remote carries, 16 at once$/, 'mcp-remote 的吞吐，16 个并发'],
  [/^bridge first answer \/ (.+)$/, '桥的首个应答 / $1'],
  [/^first answer of the bridge$/, '桥的首个应答'],
  [/^first answer of mcp-remote$/, 'mcp-remote 的首个应答'],
  [/^one of 1000 waiting calls$/, '1000 个等待调用，每个'],
  [/^one of 1000 waiting calls, resident$/, '1000 个等待调用，每个的常驻内存'],
  [/^1000 waiting calls: drift of a comment, (p\d+)$/, '1000 个等待调用：保活注释的偏差，$1'],
  [/^a day of comments leaves per call$/, '一天的保活注释在每个调用上留下的内存'],
  // manager
  [/^host start without the plugin$/, '不装插件时宿主启动'],
  [/^host start with 50 servers: later than without$/, '配置 50 个服务器时宿主启动：比不装插件晚'],
  [/^host start with 50 servers: against without$/, '配置 50 个服务器时宿主启动：与不装插件之比'],
  [/^50 stdio servers to connected, bare engine$/, '50 个 stdio 服务器全部连上，仅引擎'],
  [/^50 stdio servers to connected, against the bare engine$/, '50 个 stdio 服务器全部连上，与仅引擎之比'],
  [/^one call over (.+), bare engine, p50$/, '经 $1 的一次调用，仅引擎，p50'],
  [/^one call over (.+), against the bare engine, p50$/, '经 $1 的一次调用，与仅引擎之比，p50'],
  [
    /^one call through the registered tool, p50, to the built-in client$/,
    '经注册工具的一次调用，p50，与内置客户端之比',
  ],
  [/^one call through the registered tool, p50$/, '经注册工具的一次调用，p50'],
  [/^list_changed, 1 of 1 000 tools: registrations touched$/, 'list_changed，1000 个工具中变 1 个：触及的注册'],
  [
    /^list_changed, 1 of 1 000 tools: call, re-list and registration$/,
    'list_changed，1000 个工具中变 1 个：调用、重新列出与注册',
  ],
  [/^projection of (\d+) real schemas, to structuredClone$/, '$1 个真实模式的转换，与 structuredClone 之比'],
  [/^1 000 connections over Streamable HTTP, opened and closed: (.+)$/, 'Streamable HTTP 连接开闭 1000 次：$1'],
  [/^100 connections over stdio, opened and closed: (.+)$/, 'stdio 连接开闭 100 次：$1'],
  [/^500 failed reconnects \(8 h at one a minute\): (.+)$/, '500 次失败的重连（相当于 8 小时每分钟一次）：$1'],
  [/^1 M lines of error output: (.+)$/, '100 万行错误输出：$1'],
  [/^heap grown$/, '堆增长'],
  [/^handles left$/, '遗留句柄'],
  // protocol
  [/^(.+): to the published transport$/, '$1：与已发布实现之比'],
  [/^(.+): to the fastest other \((.+)\)$/, '$1：与其余最快者（$2）之比'],
  [/^sequential, 100 B$/, '逐个，100 B'],
  [/^(\d+) in flight, 100 B$/, '$1 个在途，100 B'],
  [/^(\d+ MiB) echo between processes$/, '进程间回显 $1'],
  [/^(\d+ MiB) echo between processes: ours$/, '进程间回显 $1：本项目'],
  [/^16 MiB line in 64 KiB chunks$/, '16 MiB 的一行，分块 64 KiB'],
  [
    /^16 MiB line in 64 KiB chunks: of concat \+ decode \+ parse$/,
    '16 MiB 的一行，分块 64 KiB：与“拼接 + 解码 + 解析”之比',
  ],
  [/^16 MiB line in 64 KiB chunks: ours$/, '16 MiB 的一行，分块 64 KiB：本项目'],
  [/^16 MiB line in 64 KiB chunks: (\S+) \(one run\)$/, '16 MiB 的一行，分块 64 KiB：$1（一次）'],
  [/^line of 16 MiB to line of 4 MiB$/, '16 MiB 一行与 4 MiB 一行之比'],
  [
    /^line of 16 MiB to line of 4 MiB: concat \+ decode \+ parse$/,
    '16 MiB 一行与 4 MiB 一行之比：“拼接 + 解码 + 解析”',
  ],
  [/^4 MiB line: 512 B chunks to 64 KiB chunks$/, '4 MiB 一行：512 B 分块与 64 KiB 分块之比'],
  [/^peak memory while one 64 MiB line arrives, of the line$/, '接收 64 MiB 一行时的内存峰值，与该行之比'],
  [/^1 M notifications to a slow reader: in order$/, '向慢读者发 100 万条通知：按序到达'],
  [
    /^1 M notifications to a slow reader: waiting, of the high-water mark$/,
    '向慢读者发 100 万条通知：等待量，与高水位之比',
  ],
  [/^1 M notifications to a slow reader: resident above idle$/, '向慢读者发 100 万条通知：高出空闲时的常驻内存'],
]

/** The name of a row in a language; a row itself has its English one. What no rule names stays English. */
export function nameIn(language: Language, name: string): string {
  if (language === 'en') return name
  const rule = chinese.find(([pattern]) => pattern.test(name))
  if (rule === undefined) return name
  const parts = rule[0].exec(name) ?? []
  return rule[1].replaceAll(/\$(\d)/g, (_whole, index: string) => nameIn(language, parts[Number(index)] ?? ''))
}
