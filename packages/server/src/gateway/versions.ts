/** Revisions that `initialize` echoes, newest first. */
export const supportedProtocolVersions = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const

/** What `initialize` answers to a missing or unknown version. */
export const preferredProtocolVersion = '2025-06-18'

/** The revision whose requests describe themselves. */
export const modernProtocolVersion = '2026-07-28'

export function isSupportedProtocolVersion(version: unknown): version is (typeof supportedProtocolVersions)[number] {
  return supportedProtocolVersions.some((supported) => supported === version)
}

/** The version that `initialize` answers to the one the client asked for. */
export function negotiateProtocolVersion(requested: unknown): string {
  return isSupportedProtocolVersion(requested) ? requested : preferredProtocolVersion
}
