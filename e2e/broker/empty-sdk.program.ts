import { onPromptAssembly } from '@dsh-mcp/host'
import type { AssemblyContext } from '@dsh-mcp/host'

/** A plugin row of somebody who writes the whole prompt himself: what the host says of the SDK is taken out. */
export const name = 'empty-sdk'
export const inject = ['tools']

export function apply(context: AssemblyContext & { effect(start: () => () => void): void }): void {
  context.effect(() =>
    onPromptAssembly(context, ({ sections = [], ...assembly }) => ({
      ...assembly,
      sections: sections.map((section) => (section.name.startsWith('tools:') ? { ...section, text: '' } : section)),
    })),
  )
}
