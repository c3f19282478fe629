import type { Timestamp } from '../http/wire.js';
import type { Versioned } from './envelope.js';

/** A dead letter of a service; the event itself stays with the service, for its operator. */
export interface DeadLetterState extends Versioned {
  /** The service that could not handle it. */
  service: string;
  /** Id of the dead letter within that service. */
  id: string;
  topic: string;
  partition: number;
  offset: string;
  key: string;
  /** Zero for a poison message that no attempt could handle. */
  attempts: number;
  reason: string;
  dead_at: Timestamp;
}

export const DEAD_LETTER_EVENT_TYPES = ['dead-letter.recorded'] as const;
export type DeadLetterEventType = (typeof DEAD_LETTER_EVENT_TYPES)[number];
