import { Button } from '../host/primitives.tsx'
import { Failure } from './controls.tsx'
import { usePage, usePageState } from './page-context.ts'
import { useAction } from './use-action.ts'

/** Name of the downloaded file; its form is the one that Import reads. */
const file = 'mcp-servers.json'

/** Downloads the global servers; there is nothing to press while there are none. */
export function ExportButton() {
  const { t, store, say } = usePage()
  const action = useAction()
  const some = usePageState((state) => state.servers.some((server) => server.source !== 'builtin'))
  if (!some) return null
  const download = (): void =>
    action.run(async () => {
      const text = `${JSON.stringify(await store.api.exported(), null, 2)}\n`
      const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
      const link = document.createElement('a')
      link.href = address
      link.download = file
      link.click()
      URL.revokeObjectURL(address)
      say(t('exportDone', { file }))
    })
  return (
    <>
      <Button disabled={action.busy} onClick={download}>
        {t('exportServers')}
      </Button>
      <Failure text={action.failure} />
    </>
  )
}
