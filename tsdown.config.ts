import { defineConfig } from 'tsdown'
import { clientBuild } from './packages/manager/client.config.ts'

/**
 * One build for the three published packages. `packages/host` is private and goes into both plugins; every other
 * dependency stays outside, so that a linked checkout and a tarball install resolve it the same way.
 */
const shared = {
  format: 'esm' as const,
  platform: 'node' as const,
  target: 'node22',
  outDir: 'lib',
  clean: true,
  fixedExtension: true,
  logLevel: 'warn' as const,
  deps: { alwaysBundle: ['@dsh-mcp/host'] },
}

/** The rooms stand beside the entry as files of their own: one file of all would be over what plugin stores accept. */
const managerEntries = {
  plugin: 'src/plugin.ts',
  ...Object.fromEntries(
    ['broker', 'connections', 'oauth', 'tools', 'web'].map((room) => [room, `src/${room}/index.ts`]),
  ),
}

export default defineConfig([
  {
    ...shared,
    cwd: 'packages/sdk-protocol',
    entry: { index: 'src/index.ts' },
    dts: { generator: 'oxc' },
  },
  { ...shared, cwd: 'packages/manager', entry: managerEntries, dts: false },
  clientBuild,
  { ...shared, cwd: 'packages/server', entry: { plugin: 'src/plugin.ts' }, clean: ['lib/*.mjs'], dts: false },
  {
    // A program of its own: one file, so that it starts fast.
    ...shared,
    cwd: 'packages/server',
    entry: { 'dsh-mcp-stdio': 'src/bridge/main.ts' },
    outDir: 'lib/bridge',
    dts: false,
  },
])
