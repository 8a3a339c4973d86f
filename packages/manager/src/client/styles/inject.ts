import page from './page.css'

const owner = '@dsh-mcp/manager'

/** Puts the sheets into the document, marked so that the host can remove them on reload; returns the way to undo it. */
export function injectStyles(target: Document = document): () => void {
  const tag = target.createElement('style')
  tag.dataset['plugin'] = owner
  tag.dataset['pluginCss'] = `${owner}/page`
  tag.textContent = page
  target.head.append(tag)
  return () => tag.remove()
}
