/**
 * Inline code that names nothing of ours, so that no rule can look it up, with the reason. One that no document holds any
 * more fails the test.
 */
export const unjudged: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a pattern or a name made up to explain': {
    'x.ts': 'any file',
    'x.test.ts': 'the test beside it',
    '@deepseek-ai/*': 'all packages of the host',
    'what is the sum of 40 and 2?': 'typed into the chat, proven in scripts/start/offline-choice.test.ts',
    'DSH_*': 'a rule of names, proven in child-environment.test.ts',
    '"privateKeyEnv": "JOBS_KEY"': 'the name is the reader’s',
    '"API_KEY": "${API_KEY}"': 'the name is the reader’s',
  },
  'a word the search is given, proven in packages/manager/src/broker/search': {
    getStockPrice: 'camel case',
    get_stock_price: 'snake case',
    '36kr': 'digits and letters',
    '-ing': 'an ending that is cut',
    '-ed': 'an ending that is cut',
    planes: 'not the same as plans',
    plans: 'not the same as planes',
  },
  'deliberately not served, proven in packages/server/src/gateway': {
    'prompts/list': '-32601',
    'completion/complete': '-32601',
    'notifications/message': 'never sent',
    'resources/subscribe': '-32601',
    'resources/unsubscribe': '-32601',
    'Mcp-Session-Id': 'never sent, proven in e2e/server/clients.test.ts',
  },
  'a value on the wire': {
    '••••': 'the mask, proven in api-document.test.ts',
    'same-site': 'everything but same-origin and none is refused, proven in fence.test.ts',
    '\\n': 'a byte',
    '\\r\\n': 'two bytes',
    '{"id":null,"method":"x"}': 'a frame, proven in packages/sdk-protocol',
    '1e999': 'a number of JSON',
    '0': 'an id',
    '""': 'an id',
  },
  'of other programs': {
    ptc: 'a mode of later hosts',
    fetch: 'a function of Node',
    'grep -rn Connected docs': 'a look',
    'sh -c': 'a wrapper',
    '--': 'ends the options of Claude Code and Codex',
    'node_modules/.bin/node': 'made by pnpm, removed by the set-up',
    'pnpm not found on PATH': 'a message of DSH 0.1.0-rc.8',
    'tools/LiveMCPTool/tools.json': 'a file of LiveMCPBench',
    'annotated_data/all_annotations.json': 'a file of LiveMCPBench',
  },
}
