import { inc, lt, valid } from 'semver'

/**
 * The version of a release: `patch`, `minor` and `major` raise the current one, anything else is the version itself. The
 * first release of all has the current one.
 *
 * @throws Error when it is no version (semver.org), or below the current one.
 */
export function nextVersion(current: string, wanted: string): string {
  const isStep = wanted === 'patch' || wanted === 'minor' || wanted === 'major'
  const next = isStep ? inc(current, wanted) : valid(wanted) === wanted ? wanted : null
  if (next === null) {
    throw new Error(`"${wanted}" is no version: say patch, minor, major or a version such as 1.2.3`)
  }
  if (lt(next, current)) throw new Error(`${next} is below the current version ${current}`)
  return next
}

/** The text of a `package.json` with another version and nothing else changed. */
export function withVersion(manifest: string, version: string): string {
  const line = /^( {2}"version": )"[^"]+"/m
  if (!line.test(manifest)) throw new Error('a package.json has no version')
  return manifest.replace(line, `$1"${version}"`)
}

/** A document with the tarballs' names, the tag to install from git and the endpoint file as they are from `version` on. */
export function withReleaseNames(document: string, version: string): string {
  return document
    .replaceAll(/(dsh-mcp-(?:manager|server|sdk-protocol))-\d[\w.-]*\.tgz/g, `$1-${version}.tgz`)
    .replaceAll(/(\/dsh-mcp#v)\d[\w.-]*(&path:\/packages\/)/g, `$1${version}$2`)
    .replaceAll(/("pid": \d+,\n +"version": ")[^"]+/g, `$1${version}`)
}
