import type { PauseKind, SwitchesState } from '@bascule/contracts';

/** Kinds of parties that discovery leaves out while they are paused. */
const LEFT_OUT: readonly PauseKind[] = ['chain', 'venue', 'bridge', 'provider'];
/** Keeps the header below what proxies accept. */
const MAX_ITEMS = 16;

/** Name of the header; its value is a structured list (RFC 8941). */
export const PAUSED_HEADER = 'x-paused';

const quoted = (text: string): string =>
  `"${text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, String.raw`\$&`)}"`;

/** Tells what a list leaves out because an operator has paused it, and why; undefined where nothing is. */
export function pausedHeader({ paused }: Pick<SwitchesState, 'paused'>): string | undefined {
  const items = paused
    .filter(({ kind }) => LEFT_OUT.includes(kind))
    .slice(0, MAX_ITEMS)
    .map(
      ({ kind, subject, reason }) =>
        `${quoted(subject ?? kind)};kind=${kind};reason=${quoted(reason)}`,
    );
  return items.length === 0 ? undefined : items.join(', ');
}
