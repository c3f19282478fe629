import type { Timestamp } from '../http/wire.js';
import type { Versioned } from './envelope.js';

/** A dead letter of a service; the event itself stays with the service, for its operator. */
export interface DeadLetterState extends Versioned {
  /** The service that could not handle it. */
  service: string;
  /** Id of the dead letter within that service. */
  id: string;
  /** Topic of the event. */
  topic: string;
  /**
   * Partition of the event; -1 for one that the transport refused to publish.
   * @asType integer
   */
  partition: number;
  /** Offset in the partition; for one that was never published, its id in the outbox. */
  offset: string;
  /** Key of the event. */
  key: string;
  /**
   * Number of attempts; zero for a poison message that no attempt could handle.
   * @asType integer
   */
  attempts: number;
  /** Reason of the last failure, for an operator. */
  reason: string;
  /** Time at which the last attempt was given up. */
  dead_at: Timestamp;
}

export const DEAD_LETTER_EVENT_TYPES = ['dead-letter.recorded'] as const;
export type DeadLetterEventType = (typeof DEAD_LETTER_EVENT_TYPES)[number];
