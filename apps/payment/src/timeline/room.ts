import type { TimelineEntryType } from '@bascule/contracts';
import type { NewEntry } from './entry.js';

/** Length of a timeline from which entries of worthless deposits are only counted. */
export const DUST_ROOM = 200;
/** Length from which all entries are only counted but waits of legs and those of {@link ALWAYS_KEPT}. */
export const ROOM = 2_000;
/** Length from which waits of legs are only counted: strangers cannot fill it, and neither can a wait without end. */
export const WAIT_ROOM = 4_000;

/** Each of them follows from a status or a transaction that is paid for. */
const ALWAYS_KEPT: ReadonlySet<TimelineEntryType> = new Set([
  'payment.confirmed',
  'payment.funded',
  'payment.status_changed',
  'deadline.passed',
  'leg.submitted',
  'leg.executed',
  'leg.failed',
  'transfer.opened',
  'transfer.filled',
  'transfer.arrived',
  'transfer.unfilled',
  'transfer.refunded',
  'transfer.lost',
  'refund.submitted',
  'withdrawal.submitted',
  'withdrawal.mined',
]);

export interface PlacedEntry extends NewEntry {
  readonly sequence: number;
}

/** New entries with their positions, and those that the timeline has no room for. */
export interface Placement {
  readonly kept: readonly PlacedEntry[];
  readonly omitted: readonly NewEntry[];
}

/** Places entries after the first `length` ones; strangers must not make a timeline grow without end. */
export function place(entries: readonly NewEntry[], length: number): Placement {
  const kept: PlacedEntry[] = [];
  const omitted: NewEntry[] = [];
  for (const entry of entries) {
    const position = length + kept.length;
    if (hasRoom(entry, position)) kept.push({ ...entry, sequence: position + 1 });
    else omitted.push(entry);
  }
  return { kept, omitted };
}

const hasRoom = ({ type, isDust }: NewEntry, position: number): boolean =>
  ALWAYS_KEPT.has(type) || position < roomOf(type, isDust === true);

function roomOf(type: TimelineEntryType, isDust: boolean): number {
  if (type === 'leg.waiting') return WAIT_ROOM;
  return isDust ? DUST_ROOM : ROOM;
}
