/**
 * How a message speaks: `legacy` is every revision that opens with `initialize` (2024-10-07 … 2025-11-25), where
 * connection state carries the version; `2026-07-28` is the revision in which every request describes itself.
 */
export type Era = 'legacy' | '2026-07-28'
